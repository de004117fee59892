internal import ConvertECMAScript

/// One event with its environment, from which keys are read. Expensive values are computed at most once per event.
struct EventView {
    let event: MobileEvent
    /// Whether the event's data exceeds the limits. If so, no rule matches it.
    let exceedsLimits: Bool
    let environment: EvaluationEnvironment

    /// The answers of the event history.
    var lookups: HistoryLookups
    private var states: [PropertyKey: JSObject?] = [:]
    /// The bytes that are left for replacing tokens. After the limit was exceeded, the number stays negative.
    private(set) var expansionRoom: Int
    private var allAsURL: JSValue?
    private var allAsJSON: JSValue?

    init(
        _ event: MobileEvent, _ environment: EvaluationEnvironment,
        expansionRoom: Int = MobileRulesLimits.expandedLength
    ) {
        self.event = event
        exceedsLimits = event.exceedsLimits
        self.environment = environment
        lookups = HistoryLookups(environment.history)
        self.expansionRoom = expansionRoom
    }

    /// The value of `key`, or `nil` if it is missing.
    mutating func value(of key: KeyReference) -> JSValue? {
        switch key {
        case .data, .allAsURL, .allAsJSON:
            // No rule matches such an event, and the limits exist to prevent the cost of reading its data.
            if exceedsLimits { return nil }
        default: break
        }
        switch key {
        case .data(let name):
            guard let data = event.data else { return .string("") }
            return EventData.leaf(name, of: data)
        case .type: return .string(event.type)
        case .source: return .string(event.source)
        case .state(let name, let key): return state(name).flatMap { EventData.leaf(key, of: $0) }
        case .timestampSeconds: return .integer(Int(truncatingIfNeeded: environment.now / 1000))
        case .timestampLocal: return .string(Timestamp(environment).local)
        case .timestampUTC: return .string(Timestamp(environment).utc)
        case .sdkVersion: return .string(environment.sdkVersion)
        case .cacheBuster: return .string(String(environment.random()))
        case .allAsURL: return memoized(\.allAsURL) { EventText.url(of: $0) }
        case .allAsJSON: return memoized(\.allAsJSON) { EventText.json(of: .object($0)) }
        case .nothing: return nil
        }
    }

    /// Deducts the length of a token's replacement.
    mutating func takeRoom(for text: String) { expansionRoom -= text.utf8.count }

    /// The shared state `name`, or `nil` if it is missing.
    mutating func state(_ name: PropertyKey) -> JSObject? {
        if let known = states[name] { return known }
        let state = environment.state(name.name)
        states[name] = .some(state)
        return state
    }

    private mutating func memoized(
        _ path: WritableKeyPath<EventView, JSValue?>, _ text: (JSObject) -> String
    ) -> JSValue {
        if let known = self[keyPath: path] { return known }
        let value = JSValue.string(event.data.map(text) ?? "")
        self[keyPath: path] = value
        return value
    }
}
