internal import ConvertECMAScript

/// One event as keys read it, together with its surroundings. What is costly is computed at most once per event.
struct EventView {
    let event: MobileEvent
    let surroundings: Surroundings

    private var leaves: JSObject?
    private var states: [PropertyKey: JSObject?] = [:]
    private var allAsURL: JSValue?
    private var allAsJSON: JSValue?

    init(_ event: MobileEvent, _ surroundings: Surroundings) {
        self.event = event
        self.surroundings = surroundings
    }

    /// The value behind `key`, or `nil` if there is none.
    mutating func value(of key: KeyReference) -> JSValue? {
        switch key {
        case .data(let name): return leaf(name)
        case .type: return .string(event.type)
        case .source: return .string(event.source)
        case .state(let name, let key): return state(name).flatMap { EventData.leaf(key[...], of: .object($0)) }
        case .timestampSeconds: return .integer(Int(truncatingIfNeeded: surroundings.now / 1000))
        case .timestampLocal: return .string(Timestamp(surroundings).local)
        case .timestampUTC: return .string(Timestamp(surroundings).utc)
        case .sdkVersion: return .string(surroundings.sdkVersion)
        case .cacheBuster: return .string(String(surroundings.random()))
        case .allAsURL: return memoized(\.allAsURL) { EventText.url(of: $0) }
        case .allAsJSON: return memoized(\.allAsJSON) { EventText.json(of: .object($0)) }
        case .nothing: return nil
        }
    }

    private mutating func leaf(_ name: PropertyKey) -> JSValue? {
        guard let data = event.data else { return .string("") }
        if let leaves { return leaves[name] }
        var leaves = JSObject()
        _ = EventData.forEachLeaf(of: data, descend: { _ in true }) { leaves[$0] = $1 }
        self.leaves = leaves
        return leaves[name]
    }

    private mutating func state(_ name: String) -> JSObject? {
        let name = PropertyKey(name)
        if let known = states[name] { return known }
        let state = surroundings.state(name.name)
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
