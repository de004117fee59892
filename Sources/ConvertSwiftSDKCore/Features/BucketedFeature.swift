public import ConvertECMAScript

/// A feature as a visitor has it.
public struct BucketedFeature: Sendable, Equatable {
    /// Whether the visitor has it.
    public enum Status: String, Sendable, Codable {
        /// A variation that the visitor sees carries it.
        case enabled
        /// No variation that the visitor sees carries it.
        case disabled
    }

    /// Only indices and one reference, and one that few threads share: what they stand for lies with the project.
    private let share: ProjectHandle?
    /// Index among the project's carried features; -1 if the feature is disabled.
    private let index: Int32
    /// Index of the declaration; -1 if there is none.
    private let declaration: Int32
    /// Index of the experience that carries it; -1 if a test made the feature without one.
    private let experience: Int32
    private let castsTypes: Bool
    /// The key that was asked for, if the config does not declare it.
    private let unknownKey: String?

    /// Whether the visitor has it.
    public var status: Status { index >= 0 ? .enabled : .disabled }

    /// The feature's id; `nil` if the config does not declare the feature that was asked for.
    public var id: String? { carried?.id.name ?? declared?.id.text }

    /// The id as the reference answers it: text of a feature that a variation carries, else what the config has.
    package var idValue: JSValue? { carried.map { .string($0.id.name) } ?? declared?.id.value }

    /// The feature's key; `nil` if a variation carries a feature that the config does not declare.
    public var key: String? { declared?.key ?? unknownKey }

    /// The name people gave it, if it is declared with one.
    public var name: String? { declared?.name }

    /// The variables by key; `nil` if the feature is disabled or its variation brings none. The config may have `null`
    /// here.
    public var variables: JSValue? { castsTypes ? carried?.castVariables : carried?.variables }

    /// Id of the experience that carries it; `nil` if it is disabled.
    public var experienceID: String? { carrier?.id.text }

    /// Key of the experience that carries it; `nil` if it is disabled.
    public var experienceKey: String? { carrier?.key }

    /// Name of the experience that carries it; `nil` if it is disabled.
    public var experienceName: String? { carrier?.name }

    /// The value of a variable, cast to its declared type unless casting was switched off; `nil` if there is none.
    public subscript(variable: String) -> JSValue? {
        index < 0 ? nil : share?.project.variable(variable, ofCarriedFeature: Int(index), isCast: castsTypes)
    }

    /// Whether the config does not declare the feature that was asked for.
    package var isUndeclared: Bool { share == nil }

    /// Whether a variation of some experience carries the feature.
    var isCarried: Bool {
        guard let share, declaration >= 0 else { return index >= 0 }
        return share.project.carriers(ofFeature: Int(declaration)).count > 0
    }

    private var carried: CarriedFeature? {
        guard let share, index >= 0 else { return nil }
        return share.project.carriedFeatures[Int(index)]
    }

    private var declared: Feature? {
        guard let share, declaration >= 0 else { return nil }
        return share.project.config.features[Int(declaration)]
    }

    private var carrier: Experience? {
        guard let share, index >= 0, experience >= 0 else { return nil }
        return share.project.model(Int(experience))
    }

    /// The feature at `index` of those that variations carry, by the experience at `experience`.
    static func carried(
        _ index: Int, declaration: Int?, by experience: Int32, castsTypes: Bool, _ share: ProjectHandle
    ) -> BucketedFeature {
        BucketedFeature(
            share: share, index: Int32(truncatingIfNeeded: index),
            declaration: Int32(truncatingIfNeeded: declaration ?? -1), experience: experience,
            castsTypes: castsTypes, unknownKey: nil)
    }

    /// The declared feature at `index`.
    static func disabled(_ index: Int, _ share: ProjectHandle) -> BucketedFeature {
        BucketedFeature(
            share: share, index: -1, declaration: Int32(truncatingIfNeeded: index), experience: -1, castsTypes: false,
            unknownKey: nil)
    }

    /// The only feature of a project that was made for it.
    static func made(in share: ProjectHandle, isEnabled: Bool, hasCarrier: Bool) -> BucketedFeature {
        BucketedFeature(
            share: share, index: isEnabled ? 0 : -1, declaration: 0, experience: hasCarrier ? 0 : -1,
            castsTypes: false, unknownKey: nil)
    }

    package static func undeclared(key: String) -> BucketedFeature {
        BucketedFeature(share: nil, index: -1, declaration: -1, experience: -1, castsTypes: false, unknownKey: key)
    }

    /// Whether both say the same.
    public static func == (left: BucketedFeature, right: BucketedFeature) -> Bool {
        left.status == right.status && left.id == right.id && left.key == right.key && left.name == right.name
            && left.variables == right.variables && left.experienceID == right.experienceID
            && left.experienceKey == right.experienceKey && left.experienceName == right.experienceName
    }
}
