/// Status and header fields of a response.
struct ResponseHead: Sendable {
    /// The status code.
    let status: Int
    /// Header fields by lowercased name.
    let headers: [String: String]
    /// The announced length of the body, if it is the number of bytes that will be delivered.
    let length: Int?
    /// Whether the body is compressed in transit.
    let isEncoded: Bool

    /// Creates the head of a response to `request`; names in `headers` must be lowercased.
    init(status: Int, headers: [String: String], to request: HTTPRequest) {
        self.status = status
        self.headers = headers
        isEncoded = headers["content-encoding"].map { $0.lowercased() != "identity" } ?? false
        let hasBody = request.method.uppercased() != "HEAD" && ![204, 304].contains(status)
        length = hasBody && !isEncoded ? headers["content-length"].flatMap { Int($0) } : nil
    }
}
