import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation
import ConvertConcurrency

/// Stands in for the tracking endpoint, and keeps what it gets.
final class TrackingSink: HTTPTransport {
    private let visitors = Mutex<[JSValue]>([])

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try JSValue(json: request.body ?? Data()).objectValue
        visitors.withLock { $0 += body?["visitors"]?.arrayValue ?? [] }
        return HTTPResponse(status: 200)
    }

    /// The member `visitors` of what came since the last time.
    func takeVisitors() -> [JSValue] {
        visitors.withLock { visitors in
            defer { visitors = [] }
            return visitors
        }
    }
}
