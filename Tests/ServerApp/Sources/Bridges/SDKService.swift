import ConvertMonitoring
public import ConvertSwiftSDK
public import Logging
public import ServiceLifecycle

/// Ends the SDK when its service group shuts down: delivers what requests tracked, or logs what is left.
///
/// A group ends its services in the reverse of their order. List this one before the server, so that no request is
/// under way any more when it ends.
///
/// Tried with swift-service-lifecycle 2.13.0 and swift-log 1.16.2.
public struct SDKService: Service {
    private let sdk: ConvertSDK
    private let deadline: Duration
    private let logger: Logging.Logger

    /// - Parameter deadline: how long the last deliveries may take; less than what the deployment gives the process.
    public init(sdk: ConvertSDK, deadline: Duration = .seconds(10), logger: Logging.Logger) {
        self.sdk = sdk
        self.deadline = deadline
        self.logger = logger
    }

    /// Waits for the end of the service group and shuts the SDK down.
    public func run() async {
        // Thrown if the group is cancelled instead, which ends the SDK as well.
        try? await gracefulShutdown()
        log(await sdk.shutdown(deadline: deadline))
    }

    private func log(_ report: ShutdownReport) {
        let events = report.events
        logger.notice(
            """
            shut down: accepted=\(events.accepted) restored=\(events.restored) delivered=\(events.delivered) \
            queued=\(events.queued) rejected=\(events.rejectedTotal) unstoredEntries=\(report.unstoredEntries)
            """)
        if report.isComplete { return }
        logger.warning(
            """
            \(events.queued) events were not delivered\
            \(report.areEventsStored ? "; the next start delivers them" : ""), \
            what \(report.unstoredEntries) calls changed was not stored, \
            \(report.lostEvents.values.reduce(0, +)) events were given up
            """)
    }
}
