#if os(Linux)
import ConvertConcurrency

/// Exchanges over the system's libcurl: the part of ``SystemTransport`` that is for Linux.
///
/// One thread serves the client's exchanges, from the first one until the client is released.
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

    /// One request and its response, redirect or not.
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

    /// The loop of this client; another one if that could not start, for want of file descriptors perhaps.
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
