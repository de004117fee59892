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

    /// Which feature of a project it is: numbers only, which are copied without counting references.
    @usableFromInline
    struct Place: Sendable, BitwiseCopyable {
        /// Index among the project's carried features; -1 if the feature is disabled.
        let index: Int32
        /// Index of the declaration; -1 if there is none.
        let declaration: Int32
        /// Index of the experience that carries it; -1 if a test made the feature without one.
        let experience: Int32
        let castsTypes: Bool

        /// The declared feature at an index, carried by no variation.
        static func disabled(_ index: Int) -> Place {
            Place(index: -1, declaration: Int32(truncatingIfNeeded: index), experience: -1, castsTypes: false)
        }
    }

    /// The key that was asked for, where that is not the declared one. Behind a reference, because few features have one and
    /// all are copied.
    @usableFromInline
    final class AskedKey: Sendable {
        let key: String

        init(_ key: String) { self.key = key }
    }

    /// A reference that few threads share: what the place stands for lies with the project.
    @usableFromInline let share: ProjectHandle?
    @usableFromInline let place: Place
    /// What was asked for, if the config declares no feature or one whose key is not text.
    @usableFromInline let asked: AskedKey?

    @inlinable @inline(__always)
    init(share: ProjectHandle?, place: Place, asked: AskedKey?) {
        self.share = share
        self.place = place
        self.asked = asked
    }

    private var index: Int32 { place.index }
    private var declaration: Int32 { place.declaration }
    private var experience: Int32 { place.experience }
    private var castsTypes: Bool { place.castsTypes }

    /// Whether the visitor has it.
    public var status: Status { index >= 0 ? .enabled : .disabled }

    /// The feature's id; `nil` if the config does not declare the feature that was asked for.
    public var id: String? { carried?.id.text ?? declared?.id.text }

    /// The id as it is compared.
    var idKey: PropertyKey? { carried?.id ?? declared?.id.key }

    /// The id as the reference answers it: text of a feature that a variation carries, else what the config has.
    package var idValue: JSValue? { carried.map { $0.id.value } ?? declared?.id.value }

    /// The feature's key; `nil` if a variation carries a feature that the config does not declare. A feature whose key is not
    /// text, asked for by the text of its key, has that text.
    public var key: String? { asked?.key ?? declared?.key }

    /// The key as the reference answers it: what was asked for, or what the config has.
    package var keyValue: JSValue? { asked.map { .string($0.key) } ?? declared?.entityKey.value }

    /// The name people gave it, if it is declared with one.
    public var name: String? { declared?.name }

    /// The variables by key; `nil` if the feature is disabled or its variation brings none. The config may have `null`
    /// here.
    public var variables: JSValue? { castsTypes ? carried?.castVariables : carried?.variables }

    /// Id of the experience that carries it; `nil` if it is disabled.
    public var experienceID: String? { carrier?.id.text }

    /// Key of the experience that carries it; `nil` if it is disabled.
    public var experienceKey: String? { carrier?.key }

    /// Key of the experience that carries it, as the config has it; `nil` if it is missing, or the feature disabled.
    package var experienceKeyValue: JSValue? { carrier?.entityKey.value }

    /// Name of the experience that carries it; `nil` if it is disabled.
    public var experienceName: String? { carrier?.name }

    /// The value of a variable, cast to its declared type unless casting was switched off; `nil` if there is none.
    public subscript(variable: String) -> JSValue? {
        index < 0 ? nil : share?.project.variable(variable, ofCarriedFeature: Int(index), isCast: castsTypes)
    }

    /// Whether the config does not declare the feature that was asked for.
    @inlinable package var isUndeclared: Bool { @inline(__always) get { share == nil } }

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

    /// The feature at `place` in the project.
    @inline(__always)
    static func at(_ place: Place, in share: ProjectHandle) -> BucketedFeature {
        BucketedFeature(share: share, place: place, asked: nil)
    }

    /// The only feature of a project that was made for it.
    static func made(in share: ProjectHandle, isEnabled: Bool, hasCarrier: Bool) -> BucketedFeature {
        let place = Place(
            index: isEnabled ? 0 : -1, declaration: 0, experience: hasCarrier ? 0 : -1, castsTypes: false)
        return .at(place, in: share)
    }

    package static func undeclared(key: String) -> BucketedFeature {
        BucketedFeature(
            share: nil, place: Place(index: -1, declaration: -1, experience: -1, castsTypes: false),
            asked: AskedKey(key))
    }

    /// Whether both say the same.
    public static func == (left: BucketedFeature, right: BucketedFeature) -> Bool {
        left.status == right.status && left.id == right.id && left.key == right.key && left.name == right.name
            && left.variables == right.variables && left.experienceID == right.experienceID
            && left.experienceKey == right.experienceKey && left.experienceName == right.experienceName
    }
}
