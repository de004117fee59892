import Foundation

#if canImport(FoundationNetworking)
    /// Runs a session's callbacks one after the other, and makes the session wait while too many are due.
    ///
    /// The Linux session hands over what it receives however slowly it is taken: a fast server and a busy machine would
    /// fill the memory with parts of a body that nobody has looked at yet. Waiting here stops its reading. Callbacks must
    /// not wait for the session in turn; so they do not start or cancel tasks.
    ///
    /// Sendable: both members are.
    final class CallbackQueue: OperationQueue, @unchecked Sendable {
        /// Callbacks that may be due; a part of a body is 16 kB.
        static let capacity = 64

        private let queue = DispatchQueue(label: "ConvertTransport.callbacks")
        private let room = DispatchSemaphore(value: capacity)

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            room.wait()
            queue.async {
                block()
                self.room.signal()
            }
        }
    }
#else
    /// Darwin's session stops reading by itself while its callbacks are behind.
    final class CallbackQueue: OperationQueue, @unchecked Sendable {
        override init() {
            super.init()
            maxConcurrentOperationCount = 1
        }
    }
#endif
