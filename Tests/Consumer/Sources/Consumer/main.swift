import ConvertSwiftSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Prints the decision on the experience `one-page-checkout` of the config that the argument names.
let config = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "config.json")
let convert = ConvertSDK(configFile: config, environment: "production", mode: .offline)
try await convert.ready()
let visitor = convert.createContext(
    visitorID: "visitor-4", attributes: ["orders": 2, "customer_id": "c-1"],
    locationProperties: ["path": "/checkout"])
print(visitor.variationKey("one-page-checkout", default: "none"))
await convert.shutdown(deadline: .seconds(1))
