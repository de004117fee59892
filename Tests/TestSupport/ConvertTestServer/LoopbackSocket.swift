import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// The few socket calls that the server makes, on 127.0.0.1 only.
enum LoopbackSocket {
    /// A socket call that failed, with its `errno`.
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// A socket bound to `port`; 0 asks for a free one.
    static func bound(port: UInt16) throws -> Int32 {
        let socket = try created()
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        // A second socket can keep the port while the first one closes.
        setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<Int32>.size))
        try call("bind", bind, of: socket, port)
        return socket
    }

    /// The port that `socket` is bound to.
    static func port(of socket: Int32) throws -> UInt16 {
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        guard status == 0 else { throw Failure(call: "getsockname", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Starts listening; `accept` then never waits.
    static func listen(_ socket: Int32) throws {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
        let status = Darwin.listen(socket, 1024)
        #else
        let status = Glibc.listen(socket, 1024)
        #endif
        guard status == 0 else { throw Failure(call: "listen", code: errno) }
    }

    /// A connection that is waiting, if there is one.
    static func accept(_ listener: Int32) -> Int32? {
        #if canImport(Darwin)
        let connection = Darwin.accept(listener, nil, nil)
        var yes: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #else
        let connection = Glibc.accept(listener, nil, nil)
        #endif
        if connection >= 0 {
            // On some systems a connection takes over from its listener that it does not wait.
            _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) & ~O_NONBLOCK)
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        }
        return connection < 0 ? nil : connection
    }

    /// A connection to `port`.
    static func connected(to port: UInt16) throws -> Int32 {
        let socket = try created()
        try call("connect", connect, of: socket, port)
        return socket
    }

    /// Waits until there is something to accept or to read.
    static func waitUntilReadable(_ socket: Int32, atMost seconds: Double) {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32(seconds * 1000))
    }

    /// Waits until the peer closes `connection` or the time is over; what it sends meanwhile is thrown away.
    static func waitUntilClosed(_ connection: Int32, atMost seconds: Double) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let left = end - ContinuousClock.now
            if left <= .zero { return false }
            var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, Int32(left / .milliseconds(1)) + 1) > 0, receive(connection) == nil { return true }
        }
    }

    /// What has arrived, after a wait if nothing has; `nil` at the end of the connection.
    static func receive(_ connection: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(connection, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes.prefix(count)) : nil
    }

    /// Sends `data`; returns how many bytes the socket took before the connection ended.
    static func send(_ data: Data, on connection: Int32) -> Int {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        return data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                #if canImport(Darwin)
                let count = Darwin.send(connection, rest.baseAddress, rest.count, flags)
                #else
                let count = Glibc.send(connection, rest.baseAddress, rest.count, flags)
                #endif
                guard count > 0 else { break }
                sent += count
            }
            return sent
        }
    }

    /// Makes the end of `connection` a reset.
    static func resetOnClose(_ connection: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends both directions, which wakes a thread that waits on `socket`.
    static func shutDown(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

    static func close(_ socket: Int32) {
        #if canImport(Darwin)
        _ = Darwin.close(socket)
        #else
        _ = Glibc.close(socket)
        #endif
    }

    private static func created() throws -> Int32 {
        #if canImport(Darwin)
        let socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #else
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard socket >= 0 else { throw Failure(call: "socket", code: errno) }
        return socket
    }

    /// Binds or connects `socket`, which is closed if that fails.
    private static func call(
        _ name: String, _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, of socket: Int32,
        _ port: UInt16
    ) throws {
        var address = loopback(port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            defer { close(socket) }
            throw Failure(call: name, code: errno)
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return address
    }
}
