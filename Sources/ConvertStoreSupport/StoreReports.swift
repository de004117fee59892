package import ConvertConcurrency

/// Passes a store's diagnostics to the app's own handler, or else to the log of the SDK or engine that uses the store.
///
/// A store is made before the SDK, so its first diagnostics wait for the SDK's log. If nothing uses the store within
/// ``patience``, they are printed to standard error, and later ones as they come.
package final class StoreReports: Sendable {
    private enum Destination {
        case open(@Sendable (StoreDiagnostic) -> Void)
        case waiting([StoreDiagnostic])
    }

    /// The most diagnostics that wait; further ones are printed.
    static let limit = 100
    /// How long diagnostics wait for a log.
    static let patience = Duration.seconds(10)

    private let hasHandler: Bool
    private let destination: Mutex<Destination>
    private let time: any TimeSource
    private let print: @Sendable (StoreDiagnostic) -> Void

    /// - Parameters:
    ///   - handler: the app's own; it gets all diagnostics.
    ///   - time: measures how long diagnostics wait.
    ///   - print: gets diagnostics that have no other destination.
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

    /// Passes `diagnostic` on.
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
    /// Passes diagnostics to `log`, unless the app has a handler of its own.
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
    /// Whether something is wrong.
    fileprivate var isTrouble: Bool {
        switch self {
        case .databaseAvailable, .eventsTakenOver: false
        default: true
        }
    }
}
