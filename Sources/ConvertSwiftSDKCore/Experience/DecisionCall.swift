internal import ConvertECMAScript

/// What the gates of one call share, be it for one experience or for several.
struct DecisionCall<Observer: DecisionObserver> {
    let options: DecisionOptions
    /// Place of the environment among the project's; `nil` if no experience names it.
    let environmentPlace: Int?
    /// Whether the visitor previews a variation. Then nothing is stored or reported.
    let isPreviewing: Bool
    /// Whether the experience was asked for by its id: presence is stored under locations' ids then.
    let identifiesByID: Bool
    /// The visitor's properties in this call, if it brings any; then no verdict of the context holds.
    var attributes: Attributes?
    /// Location properties in the project's slots, made when the first experience asks.
    var location: Attributes?
    /// What is to be done about the decision that is being made.
    var effects: [DecisionEffect] = []
    var observer: Observer

    /// Whether a new decision is stored.
    var stores: Bool { options.isStorageEnabled && !isPreviewing }

    /// Whether a new decision is reported.
    var tracks: Bool { options.isTrackingEnabled && !isPreviewing }

    /// The effects of the decision that was made; the next one begins without any.
    mutating func takeEffects() -> [DecisionEffect] {
        if effects.isEmpty { return [] }
        defer { effects = [] }
        return effects
    }
}

extension ExperienceManager {
    /// A call with `options`; the visitor's project is this one.
    @inline(__always)
    func call<Observer: DecisionObserver>(
        _ options: DecisionOptions, for visitor: Visitor, identifiesByID: Bool, _ observer: Observer
    ) -> DecisionCall<Observer> {
        var place = handles.environmentPlace
        if let environment = options.environment, !environment.isEmpty {
            place = project.environments.index(named: environment)
        }
        let properties = options.visitorProperties.flatMap { visitor.properties(addedBy: $0) }
        return DecisionCall(
            options: options, environmentPlace: place, isPreviewing: visitor.isPreviewing,
            identifiesByID: identifiesByID, attributes: properties.map { Attributes($0, in: project.program) },
            observer: observer)
    }
}
