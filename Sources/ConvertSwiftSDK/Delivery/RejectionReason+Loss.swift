import ConvertMonitoring

extension RejectionReason {
    /// The log message about events that were rejected for this reason.
    ///
    /// - Parameter capacity: the capacity of the queue.
    func loss(capacity: Int) -> LossLog.Loss {
        let level: ConvertLogLevel =
            switch self {
            case .unaddressed: .error
            // These are normal.
            case .countedElsewhere, .takenOver, .forgotten: .debug
            default: .warn
            }
        return LossLog.Loss(
            cause: .eventsRejected, level: level,
            message: "tracking events were given up since the start: \(explanation(capacity: capacity))")
    }

    private func explanation(capacity: Int) -> String {
        switch self {
        case .refused(let status):
            "the endpoint refuses their content with status \(status). Check visitor ids, conversion values and "
                + "trackingBodyMapper."
        case .unaddressed:
            "the SDK key, or the config's account or project id, cannot be part of a URL. Check the config."
        case .overflow:
            "the queue was full. Raise queueCapacity (\(capacity)) or queueByteCapacity. A durable ledger that keeps "
                + "up with the calls keeps all events."
        case .shutDown:
            "they were tracked after the shutdown. Shut the SDK down after the last request."
        case .unreadable:
            "the ledger returned bytes that are not an event. Check that nothing else writes to it."
        case .lostByLedger:
            "the ledger no longer has them. Check that nothing else changes it."
        case .countedElsewhere:
            "another process stored the visitors' decisions or goals first."
        case .takenOver:
            "another process took them over and delivers them."
        case .forgotten:
            "their visitors were forgotten."
        }
    }
}
