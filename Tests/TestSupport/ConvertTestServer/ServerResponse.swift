public import Foundation

/// What a `TestServer` does once a request is complete: bytes, pauses and endings, in order.
public struct ServerResponse: Sendable {
    /// One step of a response.
    public enum Step: Sendable {
        /// Sends bytes as they are.
        case send(Data)
        /// Sends the same bytes again and again until the client leaves, `pause` seconds apart.
        case sendForever(Data, pause: Double = 0)
        /// Waits, in seconds.
        case pause(Double)
        /// Sends nothing more, and keeps the connection open until the client or the server leaves.
        case stall
        /// Ends the connection with a reset.
        case reset
        /// Ends the connection in good order.
        case close
    }

    /// How long a stall lasts if no test ends it, in seconds.
    static let longestStall = 600.0

    /// The steps. After them the connection serves the next request, unless one of them ended it.
    public var steps: [Step]

    /// A response of `steps`.
    public init(_ steps: [Step]) { self.steps = steps }

    /// A complete response; its length is announced unless `headers` does so.
    public static func status(
        _ status: Int, headers: KeyValuePairs<String, String> = [:], body: some DataProtocol = Data()
    ) -> ServerResponse {
        let body = Data(body)
        let isBodiless = status == 304 || status == 204 || (100..<200).contains(status)
        let length = isBodiless || headers.contains { $0.key.lowercased() == "content-length" } ? nil : body.count
        return ServerResponse([.send(head(status, headers, length: length) + body)])
    }

    /// A complete response with text as its body.
    public static func status(
        _ status: Int, headers: KeyValuePairs<String, String> = [:], body: String
    ) -> ServerResponse {
        .status(status, headers: headers, body: Data(body.utf8))
    }

    /// A redirect to `location`.
    public static func redirect(_ status: Int = 302, to location: String) -> ServerResponse {
        .status(status, headers: ["Location": location], body: "elsewhere")
    }

    /// A response that announces `length` bytes, sends `body`, and ends the connection.
    public static func cutShort(
        headers: KeyValuePairs<String, String> = [:], body: String, announcing length: Int
    ) -> ServerResponse {
        ServerResponse([.send(head(200, headers, length: length) + Data(body.utf8)), .close])
    }

    /// A response in chunks. Without `isTerminated` the last, empty chunk is missing and the connection ends.
    public static func chunked(
        headers: KeyValuePairs<String, String> = [:], _ chunks: [Data], isTerminated: Bool = true
    ) -> ServerResponse {
        var data = head(200, headers, length: nil, more: "Transfer-Encoding: chunked\r\n")
        for chunk in chunks { data += Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8) }
        return isTerminated
            ? ServerResponse([.send(data + Data("0\r\n\r\n".utf8))]) : ServerResponse([.send(data), .close])
    }

    /// A complete response whose body arrives a byte at a time, `pause` seconds apart.
    public static func drip(body: String, pause: Double) -> ServerResponse {
        let body = Data(body.utf8)
        var steps = [Step.send(head(200, [:], length: body.count))]
        for byte in body { steps += [.pause(pause), .send(Data([byte]))] }
        return ServerResponse(steps)
    }

    /// A body of `block` again and again, in chunks, `pause` seconds apart, until the client leaves.
    public static func endless(
        _ block: Data, pause: Double = 0, headers: KeyValuePairs<String, String> = [:]
    ) -> ServerResponse {
        let chunk = Data("\(String(block.count, radix: 16))\r\n".utf8) + block + Data("\r\n".utf8)
        return ServerResponse([
            .send(head(200, headers, length: nil, more: "Transfer-Encoding: chunked\r\n")),
            .sendForever(chunk, pause: pause),
        ])
    }

    /// Nothing at all, on a connection that stays open.
    public static let stall = ServerResponse([.stall])

    /// The head of a response that announces `length` bytes, then nothing more.
    public static func stallAfterHead(announcing length: Int) -> ServerResponse {
        ServerResponse([.send(head(200, [:], length: length)), .stall])
    }

    /// A reset instead of a response.
    public static let reset = ServerResponse([.reset])

    /// The end of the connection instead of a response.
    public static let hangUp = ServerResponse([.close])

    /// Bytes that are not HTTP, then the end of the connection.
    public static func garbage(_ bytes: Data) -> ServerResponse { ServerResponse([.send(bytes), .close]) }

    /// This response after a pause of `seconds`.
    public func delayed(by seconds: Double) -> ServerResponse { ServerResponse([.pause(seconds)] + steps) }

    private static func head(
        _ status: Int, _ headers: KeyValuePairs<String, String>, length: Int?, more: String = ""
    ) -> Data {
        var head = "HTTP/1.1 \(status) Scripted\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let length { head += "Content-Length: \(length)\r\n" }
        return Data((head + more + "\r\n").utf8)
    }
}
