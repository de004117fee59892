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

    /// The path as it stands in the request line, percent-encoded, with the query if there is one.
    public var path: String

    /// The header fields in their order. Names are compared without regard to case.
    public var headers: [(name: String, value: String)]

    /// The body's bytes; empty without a body.
    public var body: [UInt8]

    /// A request.
    ///
    /// - Parameters:
    ///   - method: the method, in upper case.
    ///   - path: the path as it stands in the request line, with the query if there is one.
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

    /// The values of the header fields with a name, which is given in lower case.
    func values(of name: String) -> [String] {
        headers.lazy.filter { $0.name.isSameHeader(as: name) }.map(\.value)
    }
}

extension String {
    /// Whether the text is the name of a header that `lowercase` is in lower case.
    fileprivate func isSameHeader(as lowercase: String) -> Bool {
        utf8.count == lowercase.utf8.count
            && zip(utf8, lowercase.utf8).allSatisfy { byte, expected in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == expected : byte == expected
            }
    }
}
