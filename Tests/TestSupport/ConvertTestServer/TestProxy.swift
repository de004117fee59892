import ConvertConcurrency
import Foundation

/// Passes bytes on between clients and a server on loopback, and loses some of them.
public final class TestProxy: Sendable {
    private struct State {
        var isStopped = false
        /// How many chunks of clients pass before one whose answer is lost; `nil` if none is.
        var chunksBeforeLoss: Int?
        /// Whether the chunk is lost as well.
        var losesRequest = false
        var lostCount = 0
        var isSwallowing = false
        /// How many chunks of clients pass before one that is to wait; `nil` if none is.
        var chunksBeforeHold: Int?
        /// Signalled to pass on chunks that wait.
        var held: [DispatchSemaphore] = []
        var connections: Set<Int32> = []
    }

    /// Where clients connect.
    public let port: UInt16

    private let target: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    /// Starts passing on to `target`, a port of 127.0.0.1.
    public init(to target: UInt16) throws {
        self.target = target
        listener = try LoopbackSocket.bound(port: 0)
        port = try LoopbackSocket.port(of: listener)
        try LoopbackSocket.listen(listener)
        Thread.detachNewThread { self.acceptConnections() }
    }

    /// How many answers or requests were lost.
    public var lostCount: Int { state.withLock { $0.lostCount } }

    /// Ends the connection instead of passing on what a client sends next but `chunks`, the `request`, or else the
    /// server's answer to it.
    public func lose(after chunks: Int, request: Bool) {
        state.withLock { ($0.chunksBeforeLoss, $0.losesRequest) = (chunks, request) }
    }

    /// Whether nothing is passed on, without anybody being told.
    public func swallow(_ isSwallowing: Bool) { state.withLock { $0.isSwallowing = isSwallowing } }

    /// Lets what a client sends next but `chunks` wait until ``release()``; what comes over other connections passes.
    public func holdNext(after chunks: Int = 0) { state.withLock { $0.chunksBeforeHold = chunks } }

    /// Passes on what waits, though its client may be gone.
    public func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for gate in held { gate.signal() }
    }

    /// Ends all connections.
    public func stop() {
        release()
        let connections = state.withLock { state in
            state.isStopped = true
            return state.connections
        }
        connections.forEach(LoopbackSocket.shutDown)
    }

    private func acceptConnections() {
        while !state.withLock({ $0.isStopped }) {
            LoopbackSocket.waitUntilReadable(listener, atMost: 0.05)
            guard let client = LoopbackSocket.accept(listener) else { continue }
            guard let server = try? LoopbackSocket.connected(to: target) else {
                LoopbackSocket.close(client)
                continue
            }
            state.withLock { $0.connections.formUnion([client, server]) }
            Thread.detachNewThread { self.serve(client, server) }
        }
        LoopbackSocket.close(listener)
    }

    private func serve(_ client: Int32, _ server: Int32) {
        let isDoomed = Mutex(false)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while let chunk = LoopbackSocket.receive(server), !isDoomed.withLock({ $0 }) {
                if !self.state.withLock({ $0.isSwallowing }) { _ = LoopbackSocket.send(chunk, on: client) }
            }
            LoopbackSocket.shutDown(client)
            LoopbackSocket.shutDown(server)
            isDone.signal()
        }
        while let chunk = LoopbackSocket.receive(client) {
            let gate = state.withLock { state -> DispatchSemaphore? in
                guard let before = state.chunksBeforeHold else { return nil }
                state.chunksBeforeHold = before == 0 ? nil : before - 1
                if before > 0 { return nil }
                let gate = DispatchSemaphore(value: 0)
                state.held.append(gate)
                return gate
            }
            gate?.wait()
            let (isLost, isRequestLost, isSwallowed) = state.withLock { state in
                guard let before = state.chunksBeforeLoss else { return (false, false, state.isSwallowing) }
                state.chunksBeforeLoss = before == 0 ? nil : before - 1
                if before == 0 { state.lostCount += 1 }
                return (before == 0, before == 0 && state.losesRequest, state.isSwallowing)
            }
            if isLost { isDoomed.withLock { $0 = true } }
            if isRequestLost { break }
            if !isSwallowed { _ = LoopbackSocket.send(chunk, on: server) }
        }
        LoopbackSocket.shutDown(server)
        isDone.wait()
        state.withLock { state in
            state.connections.subtract([client, server])
            LoopbackSocket.close(client)
            LoopbackSocket.close(server)
        }
    }
}
