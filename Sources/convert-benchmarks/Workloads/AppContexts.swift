import ConvertECMAScript
import ConvertSwiftSDK

/// W1 in the style of an app: the context's attributes are a dictionary literal of Swift variables, and the decision
/// reports no exposure.
struct AppContexts: Sendable {
    static let workload = Workload(
        id: "W1-app", summary: "W1 as an app writes it: attributes from Swift variables", expected: DecideOne.check,
        runner: .timed(operations: DecideOne.visitorCount) { inputs in
            let contexts = try AppContexts(inputs)
            return { contexts.decide() }
        })

    /// An app's data about a visitor.
    private struct User {
        let country: String
        let device: String
        let plan: String
        let age: Int
        let isLoggedIn: Bool

        /// The user with the attributes of an input file; `nil` if one is missing or has another type.
        init?(_ attributes: JSObject) {
            guard let country = attributes["geo_country"]?.stringValue,
                let device = attributes["device"]?.stringValue, let plan = attributes["plan"]?.stringValue,
                let age = attributes["age"]?.numberValue, let isLoggedIn = attributes["logged_in"]?.boolValue
            else { return nil }
            self.country = country
            self.device = device
            self.plan = plan
            self.age = Int(age)
            self.isLoggedIn = isLoggedIn
        }
    }

    private let sdk: ConvertSDK
    private let users: [User]
    private let visitors = (0..<DecideOne.visitorCount).map { "v\($0)" }

    private init(_ inputs: Inputs) throws {
        var configuration = SDKConfiguration()
        configuration.environment = "production"
        configuration.isTrackingEnabled = false
        configuration.logLevel = .silent
        sdk = try ConvertSDK(configData: inputs.data("w1-config.json"), configuration: configuration)
        users = try inputs.attributeSets("w1-attributes.json").compactMap(User.init)
        guard users.count == 64 else {
            throw BenchmarkFailure(description: "W1-app: there are not 64 attribute sets of the expected shape")
        }
    }

    private func decide() -> String {
        var first = 0
        var second = 0
        var none = 0
        for (index, id) in visitors.enumerated() {
            let user = users[index & 63]
            let context = sdk.createContext(
                visitorID: id,
                attributes: [
                    "geo_country": user.country, "device": user.device, "plan": user.plan, "age": user.age,
                    "logged_in": user.isLoggedIn,
                ])
            switch context.decide("exp-0", exposure: false).variation?.variationKey {
            case "exp-0-var-0": first += 1
            case "exp-0-var-1": second += 1
            default: none += 1
            }
        }
        return "var-0 \(first), var-1 \(second), none \(none)"
    }
}
