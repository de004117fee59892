public import ConvertECMAScript

/// A leaf of a rule graph: one comparison of an attribute with a value.
public struct RuleLeaf: Sendable, Equatable {
    /// The member `matching`.
    public enum Matching: Sendable, Equatable {
        /// The member is missing or not an object.
        case missing
        /// The member is `null`, on which the JavaScript SDK throws.
        case null
        /// The operator and the negation as the config has them. An operator that is not text counts as missing.
        case operation(matchType: String?, negated: JSValue?)
    }

    private struct Contents: Sendable, Equatable {
        var ruleType: String?
        var key: PropertyKey?
        var value: JSValue?
        // Stored here, it fits into padding.
        var isKeyMalformed = false
        var matching: Matching
    }

    /// Most leaves occur several times in a config, and share this object.
    private final class Storage: Sendable {
        let contents: Contents

        init(_ contents: Contents) { self.contents = contents }
    }

    private var storage: Storage

    private var contents: Contents {
        get { storage.contents }
        set { storage = Storage(newValue) }
    }

    /// The family of the rule, `rule_type`: `generic_text_key_value`, `country`, `cookie` and so on.
    public var ruleType: String? {
        get { storage.contents.ruleType }
        set { contents.ruleType = newValue }
    }

    /// The attribute's name; `nil` if the leaf has no name or the name is not text. U+FFFD replaces characters that a
    /// Swift string cannot hold.
    public var key: String? {
        get { attribute?.text }
        set { contents.key = newValue.map { PropertyKey($0) } }
    }

    package var attribute: PropertyKey? { storage.contents.key }

    /// The rule's side of the comparison; `nil` if the leaf has no `value`.
    public var value: JSValue? {
        get { storage.contents.value }
        set { contents.value = newValue }
    }

    /// Whether the leaf has a `key` that is neither text nor `null`. JavaScript treats such a key as missing. Under
    /// semantics that look up a leaf without a key under its `rule_type`, the leaf never matches.
    public var isKeyMalformed: Bool {
        get { storage.contents.isKeyMalformed }
        set { contents.isKeyMalformed = newValue }
    }

    /// Whether the leaf asks if the visitor is in an experience. Such a leaf is evaluated instead of its whole tree.
    var isExclusion: Bool { ruleType == "bucketed_into_experience_key" }

    /// Identifies the storage of the leaf, which its copies share, as long as the leaf lives.
    var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// How to compare.
    public var matching: Matching {
        get { storage.contents.matching }
        set { contents.matching = newValue }
    }

    /// Creates a leaf.
    public init(ruleType: String?, key: String?, value: JSValue?, matching: Matching) {
        storage = Storage(
            Contents(ruleType: ruleType, key: key.map { PropertyKey($0) }, value: value, matching: matching))
    }

    /// Whether two leaves have equal members.
    public static func == (left: RuleLeaf, right: RuleLeaf) -> Bool {
        left.storage === right.storage || left.contents == right.contents
    }
}

extension RuleLeaf {
    init(_ cursor: JSONCursor) {
        let ruleType = cursor[.ruleType]
        let matching = cursor[.matching]
        let value = cursor[.value]
        let key = cursor[.key]
        storage = Storage(
            Contents(
                ruleType: ruleType?.text, key: key?.key, value: value?.value,
                isKeyMalformed: key.map { $0.kind != .text && !$0.isNull } ?? false, matching: Matching(matching)))
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
