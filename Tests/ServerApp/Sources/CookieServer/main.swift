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
configuration.ledger = try SQLiteLedger(file: folder.appending(path: "convert.sqlite"))
configuration.isTrackingEnabled = false  // for the demo; delete this line with a config of your own

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

/// Adds the visitor's cookie to an answer. Every answer sets it, because a visitor can start on any page.
@Sendable func answer<Content: ResponseGenerator>(
    _ visitor: ConvertContext, _ content: Content, status: HTTPResponse.Status? = nil
) -> EditedResponse<Content> {
    let cookie = VisitorCookie.header(visitorID: visitor.visitorID, isSecure: false)  // for http; delete with https
    return EditedResponse(status: status, headers: cookie.map { [.setCookie: $0] } ?? [:], response: content)
}

let router = Router()
router.get("checkout") { request, _ in
    let visitor = await visitor(of: request)
    return answer(visitor, visitor.variationKey("one-page-checkout", default: "three-steps"))
}
router.get("form") { request, _ in
    let visitor = await visitor(of: request)
    return answer(visitor, visitor.decode("checkout-form", default: CheckoutForm()))
}
router.post("orders/:order") { request, context in
    let visitor = await visitor(of: request)
    let order = try context.parameters.require("order")
    // Reports every order. The SDK does not compare ids: call this once for each order.
    let outcome = visitor.trackConversion(
        "order-placed", revenue: 49.9, transactionID: order, forcesMultipleTransactions: true)
    try await visitor.persisted()  // an order that was answered survives a kill of this process
    // Without a config or room in the queue it did not count: the client repeats it.
    let counts = outcome == .triggered || outcome == .deferred
    return answer(visitor, "\(outcome)", status: counts ? .created : .serviceUnavailable)
}
router.post("reviews") { request, _ in
    let visitor = await visitor(of: request)
    let outcome = visitor.trackConversion("review-written")  // counts once for each visitor
    return answer(visitor, "\(outcome)", status: outcome == .triggered ? .created : .ok)
}

let port = Int(ProcessInfo.processInfo.environment["PORT"] ?? "8080") ?? 8080
let application = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
var failure: (any Error)?
do { try await application.runService() } catch { failure = error }
print(await convert.shutdown(deadline: .seconds(5)))
if let failure { throw failure }
