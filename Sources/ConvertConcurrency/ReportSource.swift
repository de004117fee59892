/// A message from a component that has no log, such as a store.
package struct Report: Sendable {
    /// Whether the message reports a problem. Otherwise it reports the end of a problem, or normal operation.
    package let isTrouble: Bool
    /// What happened, without secrets or data about visitors.
    package let message: String

    /// Creates a message.
    package init(isTrouble: Bool, _ message: String) {
        self.isTrouble = isTrouble
        self.message = message
    }
}

/// A component that reports to the log of the SDK or engine that uses it.
package protocol ReportSource: Sendable {
    /// Passes reports to `log`, beginning with the reports that waited. If called again, only the last `log` receives
    /// reports.
    ///
    /// - Parameter log: called on any thread, even while the component holds a lock, so it must not call the component.
    func report(to log: @escaping @Sendable (Report) -> Void)
}
