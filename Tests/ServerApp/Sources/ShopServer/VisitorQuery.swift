import ConvertSwiftSDK
import Hummingbird

/// The visitor of a request: `?visitor=ID`, properties of where they are as `location.NAME=TEXT`, everything else is an
/// attribute.
struct VisitorQuery {
    private static let locationPrefix = "location."

    private let id: String
    private var attributes = JSObject()
    private var locationProperties: JSObject?

    /// - Throws: `HTTPError` with 400 if the request names no visitor.
    init(_ request: Request) throws {
        let parameters = request.uri.queryParameters
        guard let id = parameters.get("visitor"), !id.isEmpty else {
            throw HTTPError(.badRequest, message: "name the visitor: ?visitor=ID")
        }
        self.id = id
        for (name, value) in parameters where name != "visitor" {
            if name.hasPrefix(Self.locationPrefix) {
                locationProperties = locationProperties ?? JSObject()
                locationProperties?[String(name.dropFirst(Self.locationPrefix.count))] = .string(String(value))
            } else {
                attributes[String(name)] = .string(String(value))
            }
        }
    }

    /// The visitor's context, with the record of earlier requests and processes.
    func context(of sdk: ConvertSDK) async throws -> ConvertContext {
        guard sdk.isReady else { throw HTTPError(.serviceUnavailable, message: "there is no config yet") }
        return await sdk.loadContext(
            visitorID: id, attributes: attributes, locationProperties: locationProperties)
    }
}
