public import ConvertECMAScript

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

    /// What a leaf says.
    private struct Contents: Sendable, Equatable {
        var ruleType: String?
        var key: PropertyKey?
        var value: JSValue?
        // It takes no room of its own here.
        var isKeyMalformed = false
        var matching: Matching
    }

    /// Most leaves of a config stand in it several times, and share this.
    private final class Storage: Sendable {
        let contents: Contents
        /// Whether it is of the type `bucketed_into_experience_key`.
        let isExclusion: Bool

        init(_ contents: Contents) {
            self.contents = contents
            isExclusion = contents.ruleType == "bucketed_into_experience_key"
        }
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

    /// The attribute's name, if the leaf has one and it is text, with U+FFFD where Swift text cannot hold it.
    public var key: String? {
        get { attribute?.text }
        set { contents.key = newValue.map { PropertyKey($0) } }
    }

    /// The attribute's name as it is looked up.
    package var attribute: PropertyKey? { storage.contents.key }

    /// The rule's side of the comparison; absent when the leaf has no `value`.
    public var value: JSValue? {
        get { storage.contents.value }
        set { contents.value = newValue }
    }

    /// Whether the leaf has a `key` that is neither text nor `null`. To JavaScript that is no key at all; where a leaf
    /// without key is looked up under its `rule_type`, it never matches.
    public var isKeyMalformed: Bool {
        get { storage.contents.isKeyMalformed }
        set { contents.isKeyMalformed = newValue }
    }

    /// Whether the leaf asks if the visitor is in an experience, by its type. It stands for its whole tree then.
    var isExclusion: Bool { storage.isExclusion }

    /// What tells the leaf from others that may say the same, as long as both live: copies share it.
    var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// How to compare.
    public var matching: Matching {
        get { storage.contents.matching }
        set { contents.matching = newValue }
    }

    /// A leaf.
    public init(ruleType: String?, key: String?, value: JSValue?, matching: Matching) {
        storage = Storage(
            Contents(ruleType: ruleType, key: key.map { PropertyKey($0) }, value: value, matching: matching))
    }

    /// Whether two leaves say the same.
    public static func == (left: RuleLeaf, right: RuleLeaf) -> Bool {
        left.storage === right.storage || left.contents == right.contents
    }
}

extension RuleLeaf {
    /// Reads a leaf of any shape.
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
