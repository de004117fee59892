internal import ConvertConcurrency
internal import ConvertECMAScript

/// Events that wait for the first rules, oldest first, bounded by their number and by what they hold.
struct WaitingEvents {
    struct Entry {
        let event: MobileEvent
        /// Whether what it dispatches is to be processed after it.
        let includesDispatched: Bool
        fileprivate let length: Int
    }

    private var queue = FIFOQueue<Entry>()
    private var length = 0
    private var hasDropped = false

    /// The events that wait, oldest first.
    var entries: [Entry] { queue.elements }

    /// Keeps an event, and drops the oldest ones if there are too many.
    ///
    /// - Returns: whether the event waits, and what the caller is to be warned of.
    mutating func append(
        _ event: MobileEvent, includesDispatched: Bool, within configuration: MobileRulesConfiguration
    ) -> (isWaiting: Bool, warning: MobileRulesWarning?) {
        // No rule will match it; to find out its length would mean to walk what is too deep to be walked.
        if event.exceedsLimits { return (false, .exceedsLimits) }
        let length = Self.length(of: event)
        guard length <= configuration.maximumWaitingBytes, configuration.maximumWaitingEvents > 0 else {
            let message = "there are no rules yet, and this event is more than may wait for them; it is dropped."
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

    /// About how many bytes an event holds, whose data must be within limits.
    private static func length(of event: MobileEvent) -> Int {
        let mask = event.mask?.reduce(0) { $0 + MemoryLayout<String>.stride + $1.utf8.count } ?? 0
        return event.type.utf8.count + event.source.utf8.count + mask + (event.data.map(EventData.length) ?? 0)
    }

    private static let place = "waiting events"
}

extension MobileRulesWarning {
    /// Of an event that is too much to be looked at.
    static let exceedsLimits = MobileRulesWarning(
        at: "event",
        "its data is nested deeper than \(MobileRulesLimits.dataDepth), or its flattened names are longer "
            + "than \(MobileRulesLimits.flattenedLength) bytes; no rule matches it.")
}
