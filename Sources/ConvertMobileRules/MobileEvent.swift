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
        didSet { exceedsLimits = Self.exceedsLimits(data) }
    }
    /// The names of the flattened members by which the event is remembered in the event history, with the values that its
    /// consequences left. `nil`, the default, does not remember it; an empty list neither.
    public let mask: [String]?

    /// How many `dispatch` consequences led to this event: 0 for one that the app made.
    public let generation: Int

    /// Whether the data is nested too deep, or its flattened names are too long, to be looked at.
    private(set) var exceedsLimits: Bool

    /// An event that the app made.
    public init(type: String, source: String, data: JSObject? = nil, mask: [String]? = nil) {
        self.init(type: type, source: source, data: data, mask: mask, generation: 0)
    }

    init(type: String, source: String, data: JSObject?, mask: [String]?, generation: Int) {
        self.type = type
        self.source = source
        self.data = data
        self.mask = mask
        self.generation = generation
        exceedsLimits = Self.exceedsLimits(data)
    }

    private static func exceedsLimits(_ data: JSObject?) -> Bool { data.map { !EventData.isWithinLimits($0) } ?? false }
}

extension MobileEvent: Decodable {
    private enum Keys: String, CodingKey { case type, source, data, mask }

    /// Decodes `{"type", "source", "data"?, "mask"?}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            type: try container.decode(String.self, forKey: .type),
            source: try container.decode(String.self, forKey: .source),
            data: try container.decodeIfPresent(ExactObject.self, forKey: .data)?.object,
            mask: try container.decodeIfPresent([String].self, forKey: .mask))
    }
}
