public import ConvertECMAScript

/// A rule graph as it stands in a config: `OR` of blocks, each an `AND` of clauses, each an `OR_WHEN` of leaves.
///
/// Wherever the reference expects an object, `nil` records a `null`: it makes the reference throw when evaluation
/// reaches it. Anything else that is no object has no members, and so holds nothing and never matches.
public struct RuleTree: Sendable, Equatable {
    /// One block: all of its clauses must hold.
    public struct Block: Sendable, Equatable {
        /// The clauses of `AND`; empty if the member is missing or no list.
        public var clauses: [Clause?]

        /// A block of `clauses`.
        public init(clauses: [Clause?]) { self.clauses = clauses }
    }

    /// One clause: its leaves are alternatives.
    public struct Clause: Sendable, Equatable {
        /// The leaves of `OR_WHEN`; empty if the member is missing or no list.
        public var leaves: [RuleLeaf?]

        /// A clause of `leaves`.
        public init(leaves: [RuleLeaf?]) { self.leaves = leaves }
    }

    /// The blocks of `OR`; empty if the member is missing or no list.
    public var blocks: [Block?]

    /// A tree of `blocks`.
    public init(blocks: [Block?]) { self.blocks = blocks }
}

/// A leaf of a rule graph: one comparison of an attribute with a value.
public struct RuleLeaf: Sendable, Equatable {
    /// The member `matching`.
    public enum Matching: Sendable, Equatable {
        /// It is missing or no object.
        case missing
        /// It is `null`, which makes the reference throw.
        case null
        /// The operator and the negation as they stand; an operator that is no text is absent.
        case operation(matchType: String?, negated: JSValue?)
    }

    /// The family of the rule, `rule_type`: `generic_text_key_value`, `country`, `cookie` and so on.
    public var ruleType: String?

    /// The attribute's name, if the leaf has one and it is text.
    public var key: String?

    /// Whether the leaf has a `key` that is neither text nor `null`. To JavaScript that is no key at all; where a leaf
    /// without key is looked up under its `rule_type`, it never matches.
    public var isKeyMalformed = false

    /// The rule's side of the comparison; absent when the leaf has no `value`.
    public var value: JSValue?

    /// How to compare.
    public var matching: Matching

    /// A leaf.
    public init(ruleType: String?, key: String?, value: JSValue?, matching: Matching) {
        self.ruleType = ruleType
        self.key = key
        self.value = value
        self.matching = matching
    }
}

extension RuleTree {
    /// The graph that `value` is on the wire, of any shape; one that is nested deeper than a config may be holds nothing.
    package init(_ value: JSValue) { self = value.withConfigCursor { RuleTree($0) } ?? RuleTree(blocks: []) }

    /// Reads a graph of any shape.
    init(_ cursor: JSONCursor) {
        blocks = cursor[.or].nodes { block in
            Block(clauses: block[.and].nodes { clause in Clause(leaves: clause[.orWhen].nodes(RuleLeaf.init)) })
        }
    }
}

extension RuleLeaf {
    /// Reads a leaf of any shape.
    fileprivate init(_ cursor: JSONCursor) {
        let key = cursor[.key]
        self.init(
            ruleType: cursor[.ruleType]?.text, key: key?.text, value: cursor[.value]?.value,
            matching: Matching(cursor[.matching]))
        isKeyMalformed = self.key == nil && key?.isNull == false
    }
}

extension RuleLeaf.Matching {
    fileprivate init(_ cursor: JSONCursor?) {
        switch cursor?.kind {
        case .null: self = .null
        case .object:
            self = .operation(matchType: cursor?[.matchType]?.text, negated: cursor?[.negated]?.value)
        default: self = .missing
        }
    }
}

extension JSONCursor? {
    /// The elements of a list with `nil` for each `null`; empty if there is no list.
    fileprivate func nodes<Node>(_ read: (JSONCursor) -> Node) -> [Node?] {
        guard let self, self.isArray else { return [] }
        var nodes: [Node?] = []
        nodes.reserveCapacity(self.count)
        for element in self.elements { nodes.append(element.isNull ? nil : read(element)) }
        return nodes
    }
}
