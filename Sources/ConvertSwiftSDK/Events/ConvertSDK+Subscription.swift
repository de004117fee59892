extension ConvertSDK {
    /// Ends a subscription made with ``onEvent(_:)``. Safe to use from any thread.
    public final class Subscription: Sendable {
        private let end: @Sendable () -> Void

        init(end: @escaping @Sendable () -> Void) { self.end = end }

        /// Ends the subscription. The closure is not called any more, except where a call has begun already.
        public func cancel() { end() }
    }
}
