import ConvertCurlTransport
import ConvertTransport

/// The transports of this package. What they promise is the same, and so are their tests.
enum TransportKind: CaseIterable {
    case urlSession, curl

    func transport() -> any HTTPTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .curl: CurlTransport()
        }
    }
}
