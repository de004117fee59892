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

extension RuleTree: Decodable {
    private enum CodingKeys: String, CodingKey { case or = "OR" }

    /// Decodes a graph of any shape; it never fails.
    public init(from decoder: any Decoder) {
        let container = try? decoder.container(keyedBy: CodingKeys.self)
        blocks = container?.nodes(.or) ?? []
    }
}

extension RuleTree.Block: Decodable {
    private enum CodingKeys: String, CodingKey { case and = "AND" }

    /// Decodes a block of any shape; it never fails.
    public init(from decoder: any Decoder) {
        let container = try? decoder.container(keyedBy: CodingKeys.self)
        clauses = container?.nodes(.and) ?? []
    }
}

extension RuleTree.Clause: Decodable {
    private enum CodingKeys: String, CodingKey { case orWhen = "OR_WHEN" }

    /// Decodes a clause of any shape; it never fails.
    public init(from decoder: any Decoder) {
        let container = try? decoder.container(keyedBy: CodingKeys.self)
        leaves = container?.nodes(.orWhen) ?? []
    }
}

extension RuleLeaf: Decodable {
    private enum CodingKeys: String, CodingKey {
        case ruleType = "rule_type"
        case key, value, matching
    }

    private struct Operation: Decodable {
        let matchType: String?
        let negated: JSValue?

        private enum CodingKeys: String, CodingKey {
            case matchType = "match_type"
            case negated
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            matchType = container.ifValid(.matchType)
            // Nearly always a boolean, and a failed attempt at another type is dear.
            negated = container.ifValid(.negated, as: Bool.self).map(JSValue.bool) ?? container.value(.negated)
        }
    }

    /// Decodes a leaf of any shape; it never fails.
    public init(from decoder: any Decoder) {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            self.init(ruleType: nil, key: nil, value: nil, matching: .missing)
            return
        }
        let ruleType = container.ifValid(.ruleType, as: String.self)
        self.init(
            ruleType: ruleType, key: container.ifValid(.key),
            value: Self.value(in: container, ruleType: ruleType), matching: Self.matching(in: container))
        isKeyMalformed = key == nil && container.value(.key, unreadable: true)?.isNull == false
    }

    /// The member `value`. A failed attempt at a type is dear, so the rule's family says which one to try first.
    private static func value(in container: KeyedDecodingContainer<CodingKeys>, ruleType: String?) -> JSValue? {
        switch ruleType {
        case "generic_numeric_key_value":
            if let number = container.ifValid(.value, as: Double.self) { return JSValue(number) }
        case "generic_bool_key_value":
            if let flag = container.ifValid(.value, as: Bool.self) { return .bool(flag) }
        default:
            if let text = container.ifValid(.value, as: String.self) { return .string(text) }
        }
        return container.value(.value)
    }

    private static func matching(in container: KeyedDecodingContainer<CodingKeys>) -> Matching {
        guard container.contains(.matching) else { return .missing }
        if (try? container.decodeNil(forKey: .matching)) == true { return .null }
        guard let operation = container.ifValid(.matching, as: Operation.self) else { return .missing }
        return .operation(matchType: operation.matchType, negated: operation.negated)
    }
}

extension KeyedDecodingContainer {
    /// The elements of a list with `nil` for each `null`; empty if the member is missing or no list.
    fileprivate func nodes<Node: Decodable>(_ key: Key) -> [Node?] {
        guard contains(key), var list = try? nestedUnkeyedContainer(forKey: key) else { return [] }
        var nodes: [Node?] = []
        nodes.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            if (try? list.decodeNil()) == true {
                nodes.append(nil)
            } else if let node = try? list.decode(Node.self) {
                nodes.append(node)
            } else {
                break
            }
        }
        return nodes
    }
}
