extension ConvertSDK {
    /// Represents a subscription made with ``onEvent(_:)``. Can be used from any thread.
    public final class Subscription: Sendable {
        private let end: @Sendable () -> Void

        init(end: @escaping @Sendable () -> Void) { self.end = end }

        /// Ends the subscription. An event that is being delivered on another thread may still reach the closure.
        public func cancel() { end() }
    }
}
