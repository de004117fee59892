package import ConvertConcurrency

/// Passes a store's diagnostics to the app's own handler, or else to the log of the SDK or engine that uses the store.
///
/// A store is created before the SDK, so its first diagnostics wait for the SDK's log. If nothing uses the store within
/// ``patience``, they are printed to standard error, and so are later ones.
package final class StoreReports: Sendable {
    private enum Destination {
        case open(@Sendable (StoreDiagnostic) -> Void)
        case waiting([StoreDiagnostic])
    }

    /// The maximum number of waiting diagnostics; further ones are printed.
    static let limit = 100
    /// How long diagnostics wait for a log.
    static let patience = Duration.seconds(10)

    private let hasHandler: Bool
    private let destination: Mutex<Destination>
    private let time: any TimeSource
    private let print: @Sendable (StoreDiagnostic) -> Void

    /// - Parameters:
    ///   - handler: the app's own handler. It receives all diagnostics.
    ///   - time: measures how long diagnostics wait.
    ///   - print: receives diagnostics that have no other destination.
    package init(
        _ handler: (@Sendable (StoreDiagnostic) -> Void)?, time: any TimeSource = SystemTime(),
        print: @escaping @Sendable (StoreDiagnostic) -> Void = StoreDiagnostic.printToStandardError
    ) {
        hasHandler = handler != nil
        destination = Mutex(handler.map { .open($0) } ?? .waiting([]))
        self.time = time
        self.print = print
    }

    deinit { stopWaiting() }

    /// Passes `diagnostic` to its destination, or keeps it until there is a destination.
    package func report(_ diagnostic: StoreDiagnostic) {
        let (pass, isFirst) = destination.withLock { destination -> ((@Sendable (StoreDiagnostic) -> Void)?, Bool) in
            switch destination {
            case .open(let pass): return (pass, false)
            case .waiting(let diagnostics) where diagnostics.count < Self.limit:
                destination = .waiting(diagnostics + [diagnostic])
                return (nil, diagnostics.isEmpty)
            case .waiting: return (print, false)
            }
        }
        pass?(diagnostic)
        guard isFirst else { return }
        let end = time.now + Self.patience
        Task { [weak self, time] in
            try? await time.sleep(until: end)
            self?.stopWaiting()
        }
    }

    private func stopWaiting() {
        let waiting = destination.withLock { destination -> [StoreDiagnostic] in
            guard case .waiting(let diagnostics) = destination else { return [] }
            destination = .open(print)
            return diagnostics
        }
        for diagnostic in waiting { print(diagnostic) }
    }
}

extension StoreReports: ReportSource {
    /// Passes diagnostics to `log`, unless the app has its own handler.
    package func report(to log: @escaping @Sendable (Report) -> Void) {
        if hasHandler { return }
        let pass: @Sendable (StoreDiagnostic) -> Void = { log(Report(isTrouble: $0.isTrouble, $0.description)) }
        let waiting = destination.withLock { destination -> [StoreDiagnostic] in
            defer { destination = .open(pass) }
            guard case .waiting(let diagnostics) = destination else { return [] }
            return diagnostics
        }
        for diagnostic in waiting { pass(diagnostic) }
    }
}

extension StoreDiagnostic {
    /// Whether the diagnostic reports a problem.
    fileprivate var isTrouble: Bool {
        switch self {
        case .databaseAvailable, .eventsTakenOver: false
        default: true
        }
    }
}
