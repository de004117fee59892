/// A message for people from a component that has no log of its own, such as a store.
package struct Report: Sendable {
    /// Whether something is wrong. Otherwise it is over, or as it should be.
    package let isTrouble: Bool
    /// What happened, without anything secret or about a visitor.
    package let message: String

    /// A message.
    package init(isTrouble: Bool, _ message: String) {
        self.isTrouble = isTrouble
        self.message = message
    }
}

/// A component that reports to the log of the SDK or engine that uses it.
package protocol ReportSource: Sendable {
    /// Passes reports to `log`, first those that wait. Of several calls the last one counts.
    ///
    /// - Parameter log: called on any thread, also under the component's locks: it must not call the component.
    func report(to log: @escaping @Sendable (Report) -> Void)
}
