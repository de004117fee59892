import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation
import Hummingbird

struct CheckoutForm: Codable, ResponseEncodable {
    var headline = "Your order"
    var discount = 0.0
}

let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "state")
var configuration = SDKConfiguration()
configuration.visitorStore = try SQLiteVisitorStore(file: folder.appending(path: "visitors.sqlite"))
configuration.journal = try SQLiteEventJournal(file: folder.appending(path: "events.sqlite"))
configuration.isTrackingEnabled = false  // the demo's project does not exist; events wait in the journal

let convert = ConvertSDK(
    configFile: URL(fileURLWithPath: "TestVectors/configs/demo-shop.json"), environment: "production",
    configuration: configuration)
try await convert.ready()

/// The visitor whom the request's cookie names, or a new one.
@Sendable func visitor(of request: Request) async -> ConvertContext {
    let id = VisitorCookie.visitorID(in: request.headers[.cookie]) ?? UUID().uuidString
    return await convert.loadContext(
        visitorID: id, attributes: ["orders": 2, "customer_id": id], locationProperties: ["path": "/checkout"])
}

@Sendable func remember(_ visitor: ConvertContext) -> HTTPFields {
    VisitorCookie.header(visitorID: visitor.visitorID, isSecure: false).map { [.setCookie: $0] } ?? [:]
}

let router = Router()
router.get("checkout") { request, _ in
    let visitor = await visitor(of: request)
    let steps = visitor.variationKey("one-page-checkout", default: "three-steps")
    return Response(status: .ok, headers: remember(visitor), body: ResponseBody(byteBuffer: ByteBuffer(string: steps)))
}
router.get("form") { request, _ in
    try await visitor(of: request).feature("checkout-form").decode(CheckoutForm.self) ?? CheckoutForm()
}
router.post("orders") { request, _ in
    let outcome = await visitor(of: request).trackConversion("order-placed", revenue: 49.9, transactionID: "t-1")
    return outcome == .triggered ? HTTPResponse.Status.created : .ok
}

let port = Int(ProcessInfo.processInfo.environment["PORT"] ?? "8080") ?? 8080
let application = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
try await application.runService()
await convert.shutdown(deadline: .seconds(5))
