import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// What an SDK says when it starts, and when what it is asked for is not there.
struct StartTests {
    let logger = RecordingLogger()

    private func sdk(_ configure: (inout SDKConfiguration) -> Void = { _ in }) throws -> ConvertSDK {
        try Fixture.sdk {
            $0.logger = logger
            $0.logLevel = .info
            configure(&$0)
        }
    }

    private var infos: [String] { logger.messages.filter { $0.level == .info }.map(\.message) }

    @Test func anInstalledConfigIsDescribedInOneLine() throws {
        _ = try sdk()
        #expect(
            infos == [
                "config installed: account 10, project 20, environment 'staging', "
                    + "4 of 6 experiences run there, revision "
                    + "unknown, tracking on."
            ])
        #expect(logger.warnings.isEmpty)
    }

    @Test func theRevisionIsThatOfTheDocument() async throws {
        let transport = ScriptedTransport(.status(200, Fixture.data), .status(200, Fixture.laterData))
        let sdk = Fixture.fetchingSDK(transport: transport) {
            $0.logger = logger
            $0.logLevel = .info
            $0.isTrackingEnabled = false
        }
        try await sdk.ready()
        try await sdk.refreshConfig()
        let revisions = infos.map { $0.components(separatedBy: "revision ").last ?? "" }
        #expect(Set(revisions).count == 2)
        #expect(revisions.first == "\(ConfigRevision(of: Fixture.data)), tracking off.")
    }

    @Test func aRevisionDependsOnEveryByte() {
        var revisions: Set<ConfigRevision> = []
        for length in 0...40 {
            revisions.insert(ConfigRevision(of: Data(repeating: 0, count: length)))
            for index in 0..<length {
                var data = Data(repeating: 0, count: length)
                data[index] = 0x80
                revisions.insert(ConfigRevision(of: data))
            }
        }
        #expect(revisions.count == 41 + (0...40).reduce(0, +))
        #expect(revisions.allSatisfy { $0.description.utf8.count == 8 })
    }

    @Test func anEnvironmentThatNoExperienceNamesIsWarnedOf() throws {
        let config = try Fixture.config()
        _ = try sdk { $0.environment = "productoin" }
        #expect(
            logger.warnings == [
                "neither the project nor an experience names the environment 'productoin', so only experiences that "
                    + "name none run there; the names are 'production', 'staging'; did you mean 'production'? Set the "
                    + "environment where you create the SDK."
            ])
        let far = ConfigSummary(config: config, environment: "qa", revision: nil, tracking: "on")
        #expect(far.environmentWarning?.contains("names are 'production', 'staging'. Set the environment") == true)
        let short = ConfigSummary(config: config, environment: "prod", revision: nil, tracking: "on")
        #expect(short.environmentWarning?.contains("did you mean 'production'?") == true)
        let named = ConfigSummary(config: config, environment: "production", revision: nil, tracking: "on")
        #expect(named.environmentWarning == nil && named.description.contains("5 of 6 experiences run there"))
        let silent = try ProjectConfig(json: Fixture.laterData)
        let summary = ConfigSummary(config: silent, environment: "any", revision: nil, tracking: "on")
        #expect(summary.environmentWarning == nil, "a config without environments runs in all")
    }

    @Test func theEnvironmentIsGivenWhereTheSDKIsMade() async throws {
        #expect(try Fixture.sdk().engine.configuration.environment == "staging")
        let sdk = ConvertSDK(config: try Fixture.config(), environment: "production", mode: .offline)
        #expect(sdk.createContext(visitorID: "v").decide("live").variation?.variationKey == "live-a")
        let data = try ConvertSDK(configData: Fixture.data, environment: "production", mode: .offline)
        #expect(data.createContext(visitorID: "v").decide("live").variation != nil)
    }

    @Test func anUnknownKeyIsWarnedOfOnceWithTheNearestName() throws {
        let context = try sdk().createContext(visitorID: "v1")
        for _ in 0..<3 {
            _ = context.decide("prs")
            _ = context.decide(experienceID: "900")
            _ = context.feature("flwo")
            _ = context.feature("flow", experienceKeys: ["carier"])
            context.trackConversion("purchas")
            context.runCustomSegments(["buyer", "buyers"])
            _ = context.decide("all", options: .with { $0.forcedVariationID = "90l" })
            _ = context.decide("all", options: .with { $0.forcedVariationID = "900" })
        }
        #expect(
            logger.warnings == [
                "the config has no experience 'prs'; did you mean 'pros'?",
                "the config has no experience '900'; did you mean '90'?",
                "the config has no feature 'flwo'; did you mean 'flow'?",
                "the config has no experience 'carier'; did you mean 'carrier'?",
                "the config has no goal 'purchas'; did you mean 'purchase'?",
                "the config has no segment 'buyer'; did you mean 'buyers'?",
                "experience 'all' has no variation '90l' to force; did you mean '900'?",
            ])
    }
}
