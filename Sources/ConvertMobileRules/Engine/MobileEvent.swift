public import ConvertECMAScript

/// An event that the engine evaluates against its rules.
///
///     let event = MobileEvent(
///         type: "com.adobe.eventType.generic.track", source: "com.adobe.eventSource.requestContent",
///         data: ["action": "buy", "cart": ["total": 12.5]])
public struct MobileEvent: Sendable, Equatable {
    /// The kind of event. Rules read it as `~type`.
    public let type: String
    /// The origin of the event. Rules read it as `~source`.
    public let source: String
    /// The event's data; `nil` for an event without data. In such an event, rules read every plain key as an empty
    /// text.
    public internal(set) var data: JSObject? {
        didSet { knownToExceedLimits = nil }
    }
    /// The names of the flattened members that identify the event in the event history. The event is recorded with the
    /// values that its consequences leave. If the list is `nil` or empty, the event is not recorded.
    public let mask: [String]?

    /// How many consequences led to this event, through `dispatch` or ``TriggeredConsequence/responseEvent``; 0 for an
    /// event that the app created.
    public let generation: Int

    /// The value of ``exceedsLimits`` for an event that the app created; `nil` if a consequence created or changed the
    /// event. Such an event is checked on demand, not after each change.
    private var knownToExceedLimits: Bool?

    /// Creates an event. Takes time linear to the data.
    ///
    /// - Parameters:
    ///   - type: the kind of event.
    ///   - source: the origin of the event.
    ///   - data: the event's data, if there is any.
    ///   - mask: the names of the flattened members that identify the event in the event history. If the list is `nil`
    ///     or empty, the event is not recorded.
    public init(type: String, source: String, data: JSObject? = nil, mask: [String]? = nil) {
        self.type = type
        self.source = source
        self.data = data
        self.mask = mask
        generation = 0
        knownToExceedLimits = Self.exceedsLimits(data)
    }

    /// Creates an event from Swift values. Members of `data` that are `nil` are left out.
    ///
    ///     MobileEvent(type: "track", source: "app", data: ["action": "buy", "total": total])
    @_disfavoredOverload
    public init(type: String, source: String, data: SwiftProperties, mask: [String]? = nil) {
        self.init(type: type, source: source, data: data.object, mask: mask)
    }

    /// Creates an event for a consequence.
    init(type: String, source: String, data: JSObject?, generation: Int) {
        self.type = type
        self.source = source
        self.data = data
        mask = nil
        self.generation = generation
    }

    /// Whether the data is nested too deeply, or its flattened names are too long. For an event that consequences
    /// created or changed, this takes time linear to its data.
    var exceedsLimits: Bool { knownToExceedLimits ?? Self.exceedsLimits(data) }

    /// Removes the data from the event, and returns it.
    mutating func takeData() -> JSObject? {
        defer { data = nil }
        return data
    }

    /// Whether both events have the same type, source, data, mask and generation.
    public static func == (left: MobileEvent, right: MobileEvent) -> Bool {
        left.type == right.type && left.source == right.source && left.data == right.data && left.mask == right.mask
            && left.generation == right.generation
    }

    private static func exceedsLimits(_ data: JSObject?) -> Bool { data.map { !EventData.isWithinLimits($0) } ?? false }
}
