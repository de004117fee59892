import Foundation
import ConvertConcurrency

extension TestServer {
    /// Accepts until the server is stopped.
    func acceptConnections() {
        while true {
            let (listener, isStopped) = state.withLock { ($0.listener, $0.isStopped) }
            if isStopped { return }
            // The wait is short so that a change of the listener is noticed; a connection ends it at once.
            LoopbackSocket.waitUntilReadable(listener, atMost: 0.02)
            let connection = state.withLock { state -> Int32? in
                // The socket may have been closed meanwhile, and its number used again for another.
                guard state.listener == listener, listener >= 0, let connection = LoopbackSocket.accept(listener) else {
                    return nil
                }
                state.connections.insert(connection)
                state.connectionCount += 1
                return connection
            }
            if let connection { Thread.detachNewThread { self.serve(connection) } }
        }
    }

    /// Serves requests on `connection` until either side ends it.
    private func serve(_ connection: Int32) {
        var reader = RequestReader(connection: connection)
        var isOpen = true
        while isOpen, let request = reader.next() {
            state.withLock { $0.requests.append(request) }
            isOpen = handler(request).steps.allSatisfy { perform($0, on: connection) }
        }
        state.withLock { state in
            state.connections.remove(connection)
            LoopbackSocket.close(connection)
        }
    }

    /// Performs one step of a response; `false` if the connection is over.
    private func perform(_ step: ServerResponse.Step, on connection: Int32) -> Bool {
        switch step {
        case .send(let data):
            return send(data, on: connection)
        case .sendForever(let data, let pause):
            while send(data, on: connection) { if pause > 0 { Thread.sleep(forTimeInterval: pause) } }
            return false
        case .pause(let seconds):
            return !LoopbackSocket.waitUntilClosed(connection, atMost: seconds)
        case .stall:
            _ = LoopbackSocket.waitUntilClosed(connection, atMost: ServerResponse.longestStall)
            return false
        case .reset:
            LoopbackSocket.resetOnClose(connection)
            return false
        case .close:
            return false
        }
    }

    private func send(_ data: Data, on connection: Int32) -> Bool {
        let sent = LoopbackSocket.send(data, on: connection)
        state.withLock { $0.bytesSent += sent }
        return sent == data.count
    }
}
