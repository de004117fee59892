import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// W1, W2 and W6 in the style of a server app: through `ConvertSDK` and its contexts, with their locks.
struct SDKContexts: Sendable {
    static let workloads = [
        Workload(
            id: "W1-sdk", summary: "W1 through the SDK", goal: 200, expected: "var-0 22511, var-1 22801, none 54688",
            runner: .timed(operations: 100_000) { inputs in
                let contexts = try SDKContexts("w1-config.json", "w1-attributes.json", inputs)
                return { contexts.decideOne() }
            }),
        TwoThreads.workload(
            id: "W1-sdk-x2", of: "W1-sdk", operations: 100_000, expected: "var-0 22511, var-1 22801, none 54688"
        ) { inputs in
            let contexts = try SDKContexts("w1-config.json", "w1-attributes.json", inputs)
            // As in a server, the threads share the SDK, but not the data of their visitors.
            let threads = try [contexts, contexts.withOwnVisitors("w1-attributes.json", inputs)]
            return { threads[$0].decideOne() }
        },
        Workload(
            id: "W2-sdk", summary: "W2 through the SDK", goal: 9000, expected: "35740 decisions, hash 829851382",
            runner: .timed(operations: 1000) { inputs in
                let contexts = try SDKContexts("w2-config.json", "w2-attributes.json", inputs)
                return { contexts.decideAll() }
            }),
        TwoThreads.workload(
            id: "W2-sdk-x2", of: "W2-sdk", operations: 1000, expected: "35740 decisions, hash 829851382"
        ) { inputs in
            let contexts = try SDKContexts("w2-config.json", "w2-attributes.json", inputs)
            // As in a server, the threads share the SDK, but not the data of their visitors.
            let threads = try [contexts, contexts.withOwnVisitors("w2-attributes.json", inputs)]
            return { threads[$0].decideAll() }
        },
        Workload(
            id: "W6-sdk", summary: "create a context, find a feature, through the SDK", goal: 450,
            expected: "1000 of 1000 as expected",
            runner: .timed(operations: 1000) { inputs in
                let contexts = try SDKContexts("w2-config.json", "w2-attributes.json", inputs)
                return { contexts.findFeature() }
            }),
        TwoThreads.workload(
            id: "W6-sdk-x2", of: "W6-sdk", operations: 1000, goal: nil, expected: "1000 of 1000 as expected"
        ) { inputs in
            let contexts = try SDKContexts("w2-config.json", "w2-attributes.json", inputs)
            let threads = try [contexts, contexts.withOwnVisitors("w2-attributes.json", inputs)]
            return { threads[$0].findFeature() }
        },
    ]

    private let sdk: ConvertSDK
    private var attributeSets: [JSObject]
    private let oneVisitors = (0..<100_000).map { "v\($0)" }
    private let allVisitors = (0..<1000).map { "w2-v\($0)" }

    init(_ config: String, _ attributes: String, _ inputs: Inputs) throws {
        var configuration = SDKConfiguration()
        configuration.environment = "production"
        configuration.isTrackingEnabled = false
        configuration.logLevel = .silent
        sdk = try ConvertSDK(configData: inputs.data(config), configuration: configuration)
        attributeSets = try inputs.attributeSets(attributes)
    }

    /// A copy with the same SDK and its own attributes, which no other thread reads.
    private func withOwnVisitors(_ attributes: String, _ inputs: Inputs) throws -> SDKContexts {
        var copy = self
        copy.attributeSets = try inputs.attributeSets(attributes)
        return copy
    }

    private func decideOne() -> String {
        let options = DecisionOptions.benchmark
        var first = 0
        var second = 0
        var none = 0
        for (index, id) in oneVisitors.enumerated() {
            let context = sdk.createContext(visitorID: id, attributes: attributeSets[index & 63])
            switch context.decide("exp-0", options: options).variation?.variationKey {
            case "exp-0-var-0": first += 1
            case "exp-0-var-1": second += 1
            default: none += 1
            }
        }
        return "var-0 \(first), var-1 \(second), none \(none)"
    }

    private func decideAll() -> String {
        let options = DecisionOptions.benchmark
        var count = 0
        var hash = 0
        for (index, id) in allVisitors.enumerated() {
            let context = sdk.createContext(visitorID: id, attributes: attributeSets[index % attributeSets.count])
            for variation in context.decideAll(options: options).compactMap(\.variation) {
                count += 1
                hash = (hash * 31 + (Int(variation.variationID) ?? 0)) % 1_000_000_007
            }
        }
        return "\(count) decisions, hash \(hash)"
    }

    private func findFeature() -> String {
        let options = DecisionOptions.benchmark
        var hits = 0
        for (index, id) in allVisitors.enumerated() {
            let context = sdk.createContext(visitorID: id, attributes: attributeSets[index % attributeSets.count])
            let feature = context.feature("feature-1", options: options)
            if feature.status == .enabled, feature.boolean("use_new_flow") == true, feature.integer("page_size") == 24,
                feature.number("tax_rate") == 0.0825, feature.object("copy") != nil
            {
                hits += 1
            }
        }
        return "\(hits) of \(allVisitors.count) as expected"
    }
}
