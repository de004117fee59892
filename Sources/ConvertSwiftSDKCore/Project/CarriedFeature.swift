internal import ConvertECMAScript

/// A feature as a variation carries it, with its variables cast once.
struct CarriedFeature: Sendable {
    /// The feature's id, as text.
    let id: PropertyKey
    /// Index of its declaration in the config; of several with one id the last one counts, as in the reference.
    let declaration: Int?
    /// The variables as they stand in the config; `nil` if the change brings none.
    let variables: JSValue?
    /// The variables cast to their declared types.
    let castVariables: JSValue?
    /// The members of `variables` and of `castVariables`; none if those are no object.
    let members: JSObject
    let castMembers: JSObject

    init(id: PropertyKey, declaration: Int?, variables: JSValue?, castVariables: JSValue?) {
        self.id = id
        self.declaration = declaration
        self.variables = variables
        self.castVariables = castVariables
        members = variables?.objectValue ?? JSObject()
        castMembers = castVariables?.objectValue ?? JSObject()
    }
}

/// What is asked of a carried feature at each call, without a reference to count. Its views are used only while its project
/// lives, which holds the objects.
struct CarriedFeatureRow: Sendable, BitwiseCopyable {
    private let declarationIndex: Int32
    private let members: JSObject.View
    private let castMembers: JSObject.View

    init(_ feature: CarriedFeature) {
        declarationIndex = feature.declaration.map { Int32(truncatingIfNeeded: $0) } ?? -1
        members = feature.members.withView { $0 }
        castMembers = feature.castMembers.withView { $0 }
    }

    /// Index of its declaration in the config; `nil` if there is none.
    var declaration: Int? { declarationIndex < 0 ? nil : Int(declarationIndex) }

    /// The value of a variable; `nil` if there is none.
    @inline(__always)
    func variable(_ name: String, isCast: Bool) -> JSValue? {
        // Not by a view that is chosen first, which is put together word by word (W6).
        isCast ? castMembers.value(named: name) : members.value(named: name)
    }
}
