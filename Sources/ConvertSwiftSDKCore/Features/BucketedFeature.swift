public import ConvertECMAScript

/// A feature, with its variables, and whether a visitor has it. The value keeps no reference to the config.
public struct BucketedFeature: Sendable, Hashable, Codable {
    /// Whether the visitor has the feature.
    public enum Status: String, Sendable, Codable {
        /// A variation that the visitor sees carries the feature.
        case enabled
        /// No variation that the visitor sees carries the feature.
        case disabled
    }

    /// Why a visitor does not have a feature. More reasons may be added.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DisabledReason: String, Sendable, Codable, Hashable {
        /// The config does not declare the feature.
        case undeclared
        /// No variation of any experience carries the feature.
        case notCarried
        /// No variation that the visitor sees carries the feature, or a test of the app disabled it. An explanation
        /// gives the reason for each experience.
        case notGiven
    }

    /// The feature's id; `nil` if the config does not declare the requested feature.
    public let id: String?

    /// The feature's key; `nil` if a variation carries a feature that the config does not declare. If the feature is
    /// disabled and its key in the config is not text, this is the text by which it was requested.
    public let key: String?

    /// The display name; `nil` if the config has no name for the feature.
    public let name: String?

    /// Whether the visitor has the feature.
    public let status: Status

    /// Why the visitor does not have the feature, or `nil` if the visitor has it.
    public let disabledReason: DisabledReason?

    /// The variables by key; `nil` if the feature is disabled or its variation has no variables. JSON's `null` if the
    /// config has `null` here.
    public let variables: JSValue?

    /// Id of the experience that carries the feature; `nil` if it is disabled.
    public let experienceID: String?

    /// Key of the experience that carries the feature; `nil` if it is disabled.
    public let experienceKey: String?

    /// Name of the experience that carries the feature; `nil` if it is disabled.
    public let experienceName: String?

    private enum CodingKeys: String, CodingKey {
        case id, key, name, status, disabledReason, variables
        case experienceID = "experienceId"
        case experienceKey, experienceName
    }
}

extension BucketedFeature {
    /// Creates a feature, for tests of code that uses features without an SDK.
    ///
    /// An `id` that is `nil` means the key. The experience's key is used as its id too. A disabled feature has neither
    /// variables nor an experience.
    public init(
        key: String, status: Status = .enabled, variables: JSObject = JSObject(), id: String? = nil,
        name: String? = nil, experienceKey: String? = nil
    ) {
        let carrier = status == .enabled ? experienceKey : nil
        self.init(
            id: id ?? key, key: key, name: name, status: status,
            disabledReason: status == .enabled ? nil : .notGiven,
            variables: status == .enabled ? .object(variables) : nil, experienceID: carrier, experienceKey: carrier,
            experienceName: nil)
    }

    /// The value of a variable, cast to its declared type unless the call switched casting off; `nil` if there is no
    /// such variable.
    public subscript(variable: String) -> JSValue? {
        guard case .object(let members)? = variables else { return nil }
        return members[variable]
    }

    private init(id: String?, key: String?, name: String?, _ reason: DisabledReason) {
        self.init(
            id: id, key: key, name: name, status: .disabled, disabledReason: reason, variables: nil, experienceID: nil,
            experienceKey: nil, experienceName: nil)
    }

    /// Creates a feature for a requested key that the config does not declare.
    package init(undeclaredKey key: String) { self.init(id: nil, key: key, name: nil, .undeclared) }

    /// Creates the declared feature at an index, as disabled.
    ///
    /// - Parameter asked: the text by which the feature was requested, if its key is not text.
    init(disabled declaration: Int, asked: String? = nil, in project: borrowing Project) {
        let isCarried = !project.features.carriers[declaration].isEmpty
        self.init(
            id: project.config.features[declaration].id.text, key: asked ?? project.config.features[declaration].key,
            name: project.config.features[declaration].name, isCarried ? .notGiven : .notCarried)
    }

    init(_ place: CarriedPlace, castsTypes: Bool, in project: borrowing Project) {
        // The members are read in the same order as for BucketedVariation. Closures are avoided, because they would
        // copy the models (W6).
        (status, disabledReason) = (.enabled, nil)
        experienceName = project.config.experiences[place.experience].name
        experienceID = project.config.experiences[place.experience].id.text
        experienceKey = project.config.experiences[place.experience].entityKey.text
        variables =
            castsTypes
            ? project.features.carried[place.feature].castVariables : project.features.carried[place.feature].variables
        id = project.features.carried[place.feature].id.text
        if let declaration = project.features.carried[place.feature].declaration {
            name = project.config.features[declaration].name
            key = project.config.features[declaration].entityKey.text
        } else {
            (name, key) = (nil, nil)
        }
    }
}

extension BucketedFeature: CustomStringConvertible {
    /// The feature's key, whether the visitor has it, and the key of the experience that carries it.
    public var description: String {
        let carrier = experienceKey.map { ", experience: \($0)" } ?? ""
        return "BucketedFeature(\(key ?? id ?? ""), \(status)\(carrier))"
    }
}
