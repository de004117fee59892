/// Status and header fields of a response.
struct ResponseHead: Sendable {
    /// The status code.
    let status: Int
    /// Header fields by lowercased name.
    let headers: [String: String]
    /// The body's length as announced, if that is the number of bytes that will be handed over.
    let length: Int?
    /// Whether the body was compressed on its way.
    let isEncoded: Bool

    /// The head of a response to `request`; names in `headers` are lowercased.
    init(status: Int, headers: [String: String], to request: HTTPRequest) {
        self.status = status
        self.headers = headers
        isEncoded = headers["content-encoding"].map { $0.lowercased() != "identity" } ?? false
        let hasBody = request.method.uppercased() != "HEAD" && ![204, 304].contains(status)
        length = hasBody && !isEncoded ? headers["content-length"].flatMap { Int($0) } : nil
    }
}
