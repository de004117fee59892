public import Foundation

/// A request as it arrived at a `TestServer`.
public struct RecordedRequest: Sendable, Equatable {
    /// The method.
    public let method: String
    /// The request's target, as sent: path and query.
    public let target: String
    /// Header fields by lowercased name; of repeated ones the last.
    public let headers: [String: String]
    /// The body, with its chunks joined.
    public let body: Data

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Reads one request after the other from a connection.
struct RequestReader {
    static let longestHead = 1 << 20
    static let longestBody = 256 << 20

    let connection: Int32
    private var buffer = Data()

    init(connection: Int32) { self.connection = connection }

    /// The next request; `nil` if the client left or what it sent is not HTTP.
    mutating func next() -> RecordedRequest? {
        let end = Data("\r\n\r\n".utf8)
        var searched = 0
        var found = buffer.range(of: end)
        while found == nil {
            // A client that wants TLS would wait for an answer that this server does not know.
            if buffer.first == 0x16 { return nil }
            searched = max(0, buffer.count - 3)
            guard buffer.count <= Self.longestHead, receive() else { return nil }
            found = buffer.range(of: end, in: buffer.startIndex + searched..<buffer.endIndex)
        }
        guard let found else { return nil }
        let lines = String(decoding: buffer[..<found.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        buffer = Data(buffer[found.upperBound...])
        let parts = lines[0].split(separator: " ")
        guard parts.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...]
            headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        guard let body = body(headers) else { return nil }
        return RecordedRequest(method: String(parts[0]), target: String(parts[1]), headers: headers, body: body)
    }

    private mutating func body(_ headers: [String: String]) -> Data? {
        if headers["expect"]?.lowercased() == "100-continue" {
            _ = LoopbackSocket.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), on: connection)
        }
        if headers["transfer-encoding"]?.lowercased() == "chunked" { return chunkedBody() }
        return take(Int(headers["content-length"] ?? "0") ?? 0)
    }

    private mutating func chunkedBody() -> Data? {
        var body = Data()
        while true {
            guard let line = takeLine(), let count = Int(line.prefix { $0 != ";" }, radix: 16),
                body.count + count <= Self.longestBody, let chunk = take(count), takeLine() == ""
            else { return nil }
            if count == 0 { return body }
            body += chunk
        }
    }

    private mutating func takeLine() -> String? {
        while true {
            if let end = buffer.range(of: Data("\r\n".utf8)) {
                let line = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer = Data(buffer[end.upperBound...])
                return line
            }
            guard buffer.count <= Self.longestHead, receive() else { return nil }
        }
    }

    private mutating func take(_ count: Int) -> Data? {
        guard (0...Self.longestBody).contains(count) else { return nil }
        while buffer.count < count { guard receive() else { return nil } }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    private mutating func receive() -> Bool {
        guard let data = LoopbackSocket.receive(connection) else { return false }
        buffer += data
        return true
    }
}
