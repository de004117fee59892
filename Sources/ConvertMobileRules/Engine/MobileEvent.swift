public import ConvertECMAScript

/// Something that happened and is put to the rules.
///
///     let event = MobileEvent(
///         type: "com.adobe.eventType.generic.track", source: "com.adobe.eventSource.requestContent",
///         data: ["action": "buy", "cart": ["total": 12.5]])
public struct MobileEvent: Sendable, Equatable {
    /// What kind of event it is; rules read it as `~type`.
    public let type: String
    /// Where it comes from; rules read it as `~source`.
    public let source: String
    /// What it says, or `nil` for an event without data, to which every plain key reads as an empty text.
    public internal(set) var data: JSObject? {
        didSet { knownToExceedLimits = nil }
    }
    /// The names of the flattened members by which the event is remembered in the event history, with the values that its
    /// consequences left. `nil`, the default, does not remember it; an empty list neither.
    public let mask: [String]?

    /// How many consequences led to this event, by `dispatch` or as a ``TriggeredConsequence/responseEvent``: 0 for an
    /// event that the app made.
    public let generation: Int

    /// Found out once for an event that the app made. One that consequences change is walked when it has to be known, not
    /// after each change.
    private var knownToExceedLimits: Bool?

    /// An event that the app made.
    public init(type: String, source: String, data: JSObject? = nil, mask: [String]? = nil) {
        self.type = type
        self.source = source
        self.data = data
        self.mask = mask
        generation = 0
        knownToExceedLimits = Self.exceedsLimits(data)
    }

    /// An event that the app made of Swift values, of which those that are `nil` are left out.
    ///
    ///     MobileEvent(type: "track", source: "app", data: ["action": "buy", "total": total])
    @_disfavoredOverload
    public init(type: String, source: String, data: SwiftProperties, mask: [String]? = nil) {
        self.init(type: type, source: source, data: data.object, mask: mask)
    }

    /// An event that a consequence made.
    init(type: String, source: String, data: JSObject?, generation: Int) {
        self.type = type
        self.source = source
        self.data = data
        mask = nil
        self.generation = generation
    }

    /// Whether the data is nested too deep, or its flattened names are too long, to be looked at. Of an event that
    /// consequences made or changed this takes time linear to its data.
    var exceedsLimits: Bool { knownToExceedLimits ?? Self.exceedsLimits(data) }

    /// The data, of which the event then has none left.
    mutating func takeData() -> JSObject? {
        defer { data = nil }
        return data
    }

    /// Whether both say the same.
    public static func == (left: MobileEvent, right: MobileEvent) -> Bool {
        left.type == right.type && left.source == right.source && left.data == right.data && left.mask == right.mask
            && left.generation == right.generation
    }

    private static func exceedsLimits(_ data: JSObject?) -> Bool { data.map { !EventData.isWithinLimits($0) } ?? false }
}
