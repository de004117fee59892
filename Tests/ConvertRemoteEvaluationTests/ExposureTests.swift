import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Testing

struct ExposureTests {
    @Test func anEvaluationReportsTheExposureOnce() async throws {
        let flags = try Flags()
        for _ in 0..<2 { _ = try await flags.evaluate("rollout", "visitor-1") }
        #expect(flags.sdk.trackedEvents == [.exposure("rollout", "on", visitorID: "visitor-1")])
    }

    @Test func aFeatureReportsTheExposureOfItsExperience() async throws {
        let flags = try Flags()
        _ = try await flags.evaluate("fast", "visitor-1")
        #expect(flags.sdk.trackedEvents == [.exposure("rollout", "on", visitorID: "visitor-1")])
    }

    @Test func aReservedMemberSwitchesTheReportOff() async throws {
        let flags = try Flags()
        for key in ["/rollout", "/fast", ""] {
            _ = try await flags.post(key, Flags.context("visitor-1", ["convertExposure": false]))
        }
        #expect(flags.sdk.trackedEvents.isEmpty)
        #expect(try await flags.evaluate("rollout", "visitor-1").fact("source") == nil)
    }

    @Test func anOptionSwitchesTheReportsOff() async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.exposureReports = .never
        let silent = try Flags(configuration)
        _ = try await silent.evaluate("rollout", "visitor-1")
        _ = try await silent.evaluateAll("visitor-1")
        #expect(silent.sdk.trackedEvents.isEmpty)
    }

    @Test func bulkAnswersCanLeaveNoTraceWhileSingleOnesDo() async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.exposureReports = .singleFlags
        let flags = try Flags(configuration)
        _ = try await flags.evaluateAll("visitor-1")
        #expect(flags.sdk.trackedEvents.isEmpty)
        _ = try await flags.evaluate("rollout", "visitor-1")
        #expect(flags.sdk.trackedEvents.count == 1)
    }

    @Test func reservedMembersAreNoAttributes() async throws {
        let flags = try Flags()
        let answer = try await flags.evaluate("checkout", "visitor-1", ["convertExposure": true, "location": [:]])
        #expect(answer.status == 200)
        #expect(flags.sdk.trackedEvents.count == 1)
    }
}
