internal import ConvertConcurrency
internal import ConvertECMAScript

/// Events that wait for the first rules, the oldest first, limited by number and size.
struct WaitingEvents {
    struct Entry {
        let event: MobileEvent
        /// Whether dispatched events will be processed afterwards.
        let includesDispatched: Bool
        fileprivate let length: Int
    }

    private var queue = FIFOQueue<Entry>()
    private var length = 0
    private var hasDropped = false

    /// The waiting events, the oldest first.
    var entries: [Entry] { queue.elements }

    /// Adds an event, and drops the oldest events beyond the limits.
    ///
    /// - Returns: whether the event waits, and a warning for the caller.
    mutating func append(
        _ event: MobileEvent, includesDispatched: Bool, within configuration: MobileRulesConfiguration
    ) -> (isWaiting: Bool, warning: MobileRulesWarning?) {
        // No rule will match the event, and its size cannot be computed, because its data is too deep to traverse.
        if event.exceedsLimits { return (false, .exceedsLimits) }
        let length = Self.length(of: event)
        guard length <= configuration.maximumWaitingBytes, configuration.maximumWaitingEvents > 0 else {
            let message = "there are no rules yet, and the limits do not allow this event to wait; it is dropped."
            return (false, MobileRulesWarning(at: Self.place, message))
        }
        queue.append(Entry(event: event, includesDispatched: includesDispatched, length: length))
        self.length += length
        var warning: MobileRulesWarning?
        while queue.count > configuration.maximumWaitingEvents || self.length > configuration.maximumWaitingBytes,
            let oldest = queue.popFirst()
        {
            self.length -= oldest.length
            if !hasDropped {
                warning = MobileRulesWarning(
                    at: Self.place, "there are no rules yet and too many events; the oldest are dropped.")
            }
            hasDropped = true
        }
        return (true, warning)
    }

    /// The approximate size of an event in bytes. The event's data must be within the limits.
    private static func length(of event: MobileEvent) -> Int {
        let mask = event.mask?.reduce(0) { $0 + MemoryLayout<String>.stride + $1.utf8.count } ?? 0
        return event.type.utf8.count + event.source.utf8.count + mask + (event.data.map(EventData.length) ?? 0)
    }

    private static let place = "waiting events"
}

extension MobileRulesWarning {
    /// The warning about an event whose data exceeds the limits.
    static let exceedsLimits = MobileRulesWarning(
        at: "event",
        "its data is nested deeper than \(MobileRulesLimits.dataDepth), or its flattened names are longer "
            + "than \(MobileRulesLimits.flattenedLength) bytes; no rule matches it.")
}
