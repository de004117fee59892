import ConvertTestSupport
import Dispatch
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

/// What holds a config that was replaced, and where it is freed.
@Suite(.serialized)
struct SnapshotReleaseTests {
    /// The project that the next contexts decide on.
    private func project(of sdk: ConvertSDK) -> Project? { sdk.bases.current.snapshot?.project }

    /// A large config takes long to free, which the thread that used it last is spared.
    @Test func aReplacedConfigIsFreedOnAnotherThread() async throws {
        let sdk = try Fixture.sdk()
        var context: ConvertContext? = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        #expect(context?.decide("pros").variation != nil)
        weak let project = project(of: sdk)
        sdk.install(try ProjectConfig(json: Fixture.laterData))
        #expect(project != nil)
        ConfigSnapshot.release.suspend()
        context = nil
        #expect(project != nil)
        ConfigSnapshot.release.resume()
        #expect(await eventually { project == nil })
    }

    @Test func keptAnswersKeepNoConfig() async throws {
        let sdk = try Fixture.sdk()
        weak let project = project(of: sdk)
        let (decision, feature, explanation) = {
            let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
            return (context.decide("pros"), context.feature("flow"), context.explain("pros"))
        }()
        sdk.install(try ProjectConfig(json: Fixture.laterData))
        #expect(await eventually { project == nil })
        #expect(decision.variation?.variationKey == "pros-a" && explanation?.variation == "pros-a")
        #expect(feature.string("copy") == "7" && feature.experienceName == "All" || feature.experienceKey == "carrier")
    }
}
