/// An HTTP request as a server received it.
///
///     let request = RemoteEvaluationRequest(
///         method: "POST", path: "/ofrep/v1/evaluate/flags/checkout-form",
///         headers: [("Content-Type", "application/json")], body: bytes)
///
/// A value type; safe to share between threads.
public struct RemoteEvaluationRequest: Sendable {
    /// The method, in upper case, such as `POST`.
    public var method: String

    /// The path from the request line, percent-encoded, with the query if there is one.
    public var path: String

    /// The header fields in their order. Names are case-insensitive.
    public var headers: [(name: String, value: String)]

    /// The body's bytes; empty if there is no body.
    public var body: [UInt8]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: the method, in upper case.
    ///   - path: the path from the request line, percent-encoded, with the query if there is one.
    ///   - headers: the header fields.
    ///   - body: the body's bytes.
    public init(
        method: String, path: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// The values of the header fields with a name, given in lower case.
    func values(of name: String) -> [String] {
        var values: [String] = []
        for field in headers where field.name.utf8.isSameHeader(as: name) { values.append(field.value) }
        return values
    }

    /// The value of the first header field with a name, given in lower case.
    func value(of name: String) -> String? {
        headers.first { $0.name.utf8.isSameHeader(as: name) }?.value
    }
}

extension Collection<UInt8> {
    /// Whether the name, in lower case, equals `lowercase`.
    func isSameHeader(as lowercase: String) -> Bool {
        guard count == lowercase.utf8.count else { return false }
        return elementsEqual(lowercase.utf8) { byte, expected in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == expected : byte == expected
        }
    }
}
