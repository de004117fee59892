public import ConvertECMAScript
public import ConvertSwiftSDKCore

extension Experience {
    /// An experience of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id, which visitors are hashed with; `nil` means the key.
    ///   - environment: the only environment in which it runs; `nil` means it runs everywhere.
    ///   - audiences: keys of audiences, or of segments, that a visitor must be in.
    ///   - matching: how many of the audiences must match.
    ///   - locations: keys of locations, in one of which a visitor must be.
    ///   - variations: the variations.
    public init(
        _ key: String, id: String? = nil, environment: String? = nil, audiences: [String] = [],
        matching: Matching = .any, locations: [String] = [], @VariationBuilder variations: () -> [Variation]
    ) {
        self.init(
            id: id ?? key, key: key, name: nil, environment: environment, audiences: audiences, matching: matching,
            locations: locations, variations: variations())
    }
}

extension Variation {
    /// A variation of an experience of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - weight: its share of the visitors in percent.
    ///   - isRunning: whether new visitors may be given it.
    ///   - features: keys of the features that it carries, with the values of their variables.
    public init(
        _ key: String, id: String? = nil, weight: Double = 100, isRunning: Bool = true,
        features: KeyValuePairs<String, JSObject> = [:]
    ) {
        self.init(
            id: id ?? key, key: key, name: nil, weight: weight, isRunning: isRunning,
            changes: features.map { Change(featureID: $0.key, variables: $0.value) })
    }
}

extension Audience {
    /// An audience of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - isPermanent: whether a visitor who has a variation stays, without being checked again.
    ///   - rule: who is in it.
    public init(_ key: String, id: String? = nil, isPermanent: Bool = false, where rule: TestRule) {
        self.init(id: id ?? key, key: key, isPermanent: isPermanent, rules: rule.tree)
    }
}

extension ProjectConfig.Location {
    /// A location of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - rule: which properties of a place make it this one.
    public init(_ key: String, id: String? = nil, where rule: TestRule) {
        self.init(id: id ?? key, key: key, rules: rule.tree)
    }
}

extension ProjectConfig.Segment {
    /// A custom segment of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - rule: who is put into it.
    public init(_ key: String, id: String? = nil, where rule: TestRule) {
        self.init(id: id ?? key, key: key, rules: rule.tree)
    }
}

extension Feature {
    /// The type of a feature's variable.
    public enum VariableKind: String, Sendable {
        case boolean, integer, float, string, json
    }

    /// A feature of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - variables: the variables with their types.
    public init(_ key: String, id: String? = nil, variables: KeyValuePairs<String, VariableKind> = [:]) {
        self.init(id: id ?? key, key: key, name: nil, variables: variables.map { ($0.key, $0.value.rawValue) })
    }
}

extension Goal {
    /// A goal of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - rule: what a conversion's rule data must match, if it brings any.
    public init(_ key: String, id: String? = nil, where rule: TestRule? = nil) {
        self.init(id: id ?? key, key: key, rules: rule?.tree)
    }
}

/// Collects the variations of an experience.
@resultBuilder
public enum VariationBuilder {
    /// A variation.
    public static func buildExpression(_ variation: Variation) -> [Variation] { [variation] }
    /// All variations, in order.
    public static func buildBlock(_ variations: [Variation]...) -> [Variation] { variations.flatMap { $0 } }
    /// The variations of all turns of a loop.
    public static func buildArray(_ variations: [[Variation]]) -> [Variation] { variations.flatMap { $0 } }
    /// The variations of an `if` without `else`.
    public static func buildOptional(_ variations: [Variation]?) -> [Variation] { variations ?? [] }
    /// The variations of an `if`.
    public static func buildEither(first variations: [Variation]) -> [Variation] { variations }
    /// The variations of an `else`.
    public static func buildEither(second variations: [Variation]) -> [Variation] { variations }
}
