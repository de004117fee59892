import ConvertSwiftSDK
import Foundation
import Hummingbird

let config = URL(fileURLWithPath: "TestVectors/configs/demo-shop.json")
let convert = ConvertSDK(configFile: config, environment: "production", mode: .offline)
try? await convert.ready(timeout: .seconds(2))  // Without a config, the server starts and serves the defaults.
let router = Router()
router.get("checkout/:visitor") { _, request in
    let visitor = convert.createContext(
        visitorID: try request.parameters.require("visitor"), attributes: ["orders": 2, "customer_id": "c-1"],
        locationProperties: ["path": "/checkout"])
    return visitor.variationKey("one-page-checkout", default: "three-steps")
}
try await Application(router: router).runService()
