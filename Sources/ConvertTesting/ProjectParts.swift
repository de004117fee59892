public import ConvertECMAScript
public import ConvertSwiftSDK
public import ConvertSwiftSDKCore

extension Experience {
    /// Creates an experience of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id, which is part of the visitors' hash input; `nil` means the key.
    ///   - environment: the only environment in which the experience runs; `nil` means every environment.
    ///   - audiences: keys of audiences or segments. `matching` determines how many of the audiences must match, and
    ///     the visitor must be in at least one of the segments.
    ///   - matching: how many of the audiences must match.
    ///   - locations: keys of locations; a visitor must be in at least one of them.
    ///   - variations: the variations.
    public init(
        _ key: some ConvertKey, id: String? = nil, environment: String? = nil, audiences: [String] = [],
        matching: Matching = .any, locations: [String] = [], @VariationBuilder variations: () -> [Variation]
    ) {
        let key = key.convertKey
        self.init(
            id: id ?? key, key: key, name: nil, environment: environment, audiences: audiences, matching: matching,
            locations: locations, variations: variations())
    }
}

extension Variation {
    /// Creates a variation of an experience of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - weight: the variation's share of the visitors, in percent. 0 means that it gets no new visitors.
    ///   - isRunning: whether new visitors can see the variation.
    ///   - features: keys of the features that the variation carries, with the values of their variables.
    public init(
        _ key: String, id: String? = nil, weight: Double = 100, isRunning: Bool = true,
        features: KeyValuePairs<String, JSObject> = [:]
    ) {
        self.init(
            id: id ?? key, key: key, name: nil, weight: weight, isRunning: isRunning,
            changes: features.map { Change(featureID: $0.key, variables: $0.value) })
    }

    /// Creates a variation like the initializer above, with cases of an enum as the keys of the features.
    ///
    ///     Variation("green", features: [Flag.expressPay: ["limit": 3]])
    public init<FeatureKey: ConvertKey>(
        _ key: String, id: String? = nil, weight: Double = 100, isRunning: Bool = true,
        features: KeyValuePairs<FeatureKey, JSObject>
    ) {
        self.init(
            id: id ?? key, key: key, name: nil, weight: weight, isRunning: isRunning,
            changes: features.map { Change(featureID: $0.key.convertKey, variables: $0.value) })
    }
}

extension Audience {
    /// Creates an audience of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - isPermanent: whether visitors who already have a variation are not checked again.
    ///   - rule: the rule that visitors in the audience meet.
    public init(_ key: String, id: String? = nil, isPermanent: Bool = false, where rule: TestRule) {
        self.init(id: id ?? key, key: key, isPermanent: isPermanent, rules: rule.tree)
    }
}

extension ProjectConfig.Location {
    /// Creates a location of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - rule: the rule that the properties of this location meet.
    public init(_ key: String, id: String? = nil, where rule: TestRule) {
        self.init(id: id ?? key, key: key, rules: rule.tree)
    }
}

extension ProjectConfig.Segment {
    /// Creates a custom segment of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - rule: the rule that visitors meet to enter the segment.
    public init(_ key: String, id: String? = nil, where rule: TestRule) {
        self.init(id: id ?? key, key: key, rules: rule.tree)
    }
}

extension Feature {
    /// The type of a feature's variable.
    public enum VariableKind: String, Sendable {
        case boolean, integer, float, string, json
    }

    /// Creates a feature of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - variables: the variables with their types.
    public init(_ key: some ConvertKey, id: String? = nil, variables: KeyValuePairs<String, VariableKind> = [:]) {
        let key = key.convertKey
        self.init(id: id ?? key, key: key, name: nil, variables: variables.map { ($0.key, $0.value.rawValue) })
    }
}

extension Goal {
    /// Creates a goal of a ``TestProject``.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - id: the id; `nil` means the key.
    ///   - rule: the rule that a conversion's rule data must meet. It applies only to conversions with rule data.
    public init(_ key: some ConvertKey, id: String? = nil, where rule: TestRule? = nil) {
        let key = key.convertKey
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
    /// The variations of all iterations of a loop.
    public static func buildArray(_ variations: [[Variation]]) -> [Variation] { variations.flatMap { $0 } }
    /// The variations of an `if` without `else`.
    public static func buildOptional(_ variations: [Variation]?) -> [Variation] { variations ?? [] }
    /// The variations of an `if`.
    public static func buildEither(first variations: [Variation]) -> [Variation] { variations }
    /// The variations of an `else`.
    public static func buildEither(second variations: [Variation]) -> [Variation] { variations }
}
