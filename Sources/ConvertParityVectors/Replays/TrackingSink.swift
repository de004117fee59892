import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation
import ConvertConcurrency

/// A replacement for the tracking endpoint that stores the requests it receives.
final class TrackingSink: HTTPTransport {
    private let visitors = Mutex<[JSValue]>([])

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try JSValue(json: request.body ?? Data()).objectValue
        visitors.withLock { $0 += body?["visitors"]?.arrayValue ?? [] }
        return HTTPResponse(status: 200)
    }

    /// The member `visitors` of all requests since the last call.
    func takeVisitors() -> [JSValue] {
        visitors.withLock { visitors in
            defer { visitors = [] }
            return visitors
        }
    }
}
