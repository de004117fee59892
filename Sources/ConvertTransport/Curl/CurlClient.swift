#if os(Linux)
import ConvertConcurrency

/// Sends requests with the system's libcurl: the Linux implementation of ``SystemTransport``.
///
/// One thread runs the client's exchanges, from the first exchange until the client is deallocated.
final class CurlClient: Sendable {
    private let library: @Sendable () throws(TransportError) -> CurlLibrary
    private let connectionsPerHost: Int
    private let loop = Mutex<TransferLoop?>(nil)

    init(
        connectionsPerHost: Int,
        library: @escaping @Sendable () throws(TransportError) -> CurlLibrary = CurlLibrary.system
    ) {
        self.library = library
        self.connectionsPerHost = connectionsPerHost
    }

    deinit { loop.withLock { $0 }?.retire() }

    /// Sends one request and returns its response, even a redirect.
    func exchange(_ request: HTTPRequest, until deadline: ContinuousClock.Instant) async throws -> HTTPResponse {
        let loop = runningLoop(try library())
        let transfer = Transfer(request, deadline: deadline)
        do {
            return try await transfer.outcome.value { loop.add(transfer) }
        } catch {
            loop.remove(transfer)
            throw error
        }
    }

    /// The client's loop. Starts a new loop if the last one failed, for instance for lack of file descriptors.
    private func runningLoop(_ library: CurlLibrary) -> TransferLoop {
        loop.withLock { loop in
            if let loop, !loop.isOver { return loop }
            let new = TransferLoop(library, connectionsPerHost: connectionsPerHost)
            loop = new
            return new
        }
    }
}
#endif
