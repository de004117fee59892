import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

/// What a flag comes out as is what a context of the SDK answers.
struct ParityTests {
    private static func shop() throws -> ConvertSDK {
        var file = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { file.deleteLastPathComponent() }
        file.append(path: "TestVectors/configs/demo-shop.json")
        return ConvertSDK(testing: try TestProject(json: Data(contentsOf: file)), environment: "production")
    }

    /// Visitors of many kinds.
    private static let visitors: [(id: String, attributes: JSObject, location: JSObject)] = (0..<240).map { number in
        let plans = ["insider", "insiders", "pro", "basic", ""], countries = ["de", "at", "ch", "fr"]
        let paths = ["/checkout", "/checkout/pay", "/products/9", "/"]
        var attributes: JSObject = [
            "orders": .integer(number % 4), "plan": .string(plans[number % 5]),
            "shipping_country": .string(countries[number / 3 % 4]), "revenue": .integer(number * 20),
        ]
        if number % 7 > 0 { attributes["customer_id"] = .integer(number) }
        return ("Ünïque-👩‍🚀-\(number)", attributes, ["path": .string(paths[number / 2 % 4])])
    }

    private static func members(of visitor: (id: String, attributes: JSObject, location: JSObject)) -> JSObject {
        var members = visitor.attributes
        members["location"] = .object(visitor.location)
        return members
    }

    @Test func oneFlagIsWhatAContextAnswers() async throws {
        let (sdk, other) = (try Self.shop(), Flags(try Self.shop()))
        var variations = 0
        for visitor in Self.visitors {
            let context = sdk.createContext(
                visitorID: visitor.id, attributes: visitor.attributes, locationProperties: visitor.location)
            for experience in context.config?.experiences ?? [] {
                let key = try #require(experience.key)
                let variation = context.decide(key).variation
                let answer = try await other.evaluate(key, visitor.id, Self.members(of: visitor))
                #expect(answer["value"]?.stringValue == variation?.variationKey, "\(visitor.id) \(key)")
                #expect(answer.metadata["variationId"]?.stringValue == variation?.variationID)
                if variation != nil { variations += 1 }
            }
            let feature = context.feature("checkout-form")
            let members = Self.members(of: visitor)
            func value(_ key: String) async throws -> JSValue? {
                try await other.evaluate(key, visitor.id, members)["value"]
            }
            #expect(try await value("checkout-form") == .bool(feature.status == .enabled))
            #expect(try await value("checkout-form.*") == feature.variables)
            #expect(try await value("checkout-form.max_items") == feature["max_items"])
        }
        #expect(variations > 240)
        #expect(sdk.trackedEvents == other.sdk.trackedEvents)
    }

    @Test func allFlagsAreWhatAContextAnswersToAllQuestions() async throws {
        let (sdk, other) = (try Self.shop(), Flags(try Self.shop()))
        for visitor in Self.visitors {
            let context = sdk.createContext(
                visitorID: visitor.id, attributes: visitor.attributes, locationProperties: visitor.location)
            let answer = try await other.evaluateAll(visitor.id, Self.members(of: visitor))
            let experiences = try #require(context.config?.experiences)
            for (experience, decision) in zip(experiences, context.decideAll()) {
                let flag = try #require(answer.flag(experience.key ?? ""))
                #expect(flag["value"]?.stringValue == decision.variation?.variationKey)
            }
            for feature in context.features() {
                let flag = try #require(answer.flag(feature.key ?? ""))
                #expect(flag["value"] == .bool(feature.status == .enabled))
                #expect(answer.flag("\(feature.key ?? "").*")?["value"] == feature.variables)
            }
        }
        #expect(sdk.trackedEvents == other.sdk.trackedEvents)
    }

    @Test func anAppInTheSameProcessGetsTheSameEvaluation() async throws {
        let flags = try Flags()
        let context = flags.sdk.createContext(visitorID: "visitor-1")
        let evaluation = try flags.remote.evaluation(of: "rollout", for: context)
        #expect(evaluation.value == "on")
        #expect(evaluation.reason == .targetingMatch)
        #expect(evaluation.variant == "on")
        #expect(throws: FlagError.self) { try flags.remote.evaluation(of: "unknown", for: context) }
    }

    @Test func aContextOfOpenFeatureIsReadAsInARequest() async throws {
        let flags = try Flags()
        func value(_ key: String, _ rest: JSObject, reportsExposure: Bool = true) async throws -> JSValue? {
            try await flags.remote.evaluation(
                of: key, in: Flags.context("visitor-1", rest), reportsExposure: reportsExposure
            ).value
        }
        #expect(
            try await value("at-checkout", ["location": ["path": "/checkout"], "convertExposure": false]) == "here")
        #expect(try await value("insider-menu", ["plan": "insider"], reportsExposure: false) == "wide")
        #expect(flags.sdk.trackedEvents.isEmpty)
        #expect(try await value("rollout", [:]) == "on")
        #expect(flags.sdk.trackedEvents.count == 1)
        await #expect(throws: FlagError.self) { try await value("rollout", ["location": "/checkout"]) }
        await #expect(throws: FlagError.self) { try await flags.remote.evaluation(of: "rollout", in: [:]) }
    }
}
