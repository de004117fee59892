import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

struct BulkTests {
    @Test func allFlagsComeInConfigOrderFeaturesFirst() async throws {
        let answer = try await Flags().evaluateAll("visitor-1")
        let keys = answer.flags.compactMap { $0["key"]?.stringValue }
        #expect(Array(keys.prefix(2)) == ["form", "form.headline"])
        #expect(Array(keys.suffix(5)) == ["checkout", "rollout", "insider-menu", "at-checkout", "finished"])
        // Four features, eight variables, four objects of them, five experiences.
        #expect(keys.count == 21)
    }

    @Test func anUnchangedAnswerIsNotSentAgain() async throws {
        let flags = try Flags()
        let first = try await flags.evaluateAll("visitor-1")
        let tag = try #require(first.headers["etag"])
        for field in [tag, "W/\(tag)", "\"other\", \(tag)", "\"a,b\" ,\t\(tag),", "*", tag.replacing("\"", with: "")] {
            let again = try await flags.post("", Flags.context("visitor-1"), headers: [("If-None-Match", field)])
            #expect(again.status == 304, "\(field)")
            #expect(again.text.isEmpty, "\(field)")
            #expect(again.headers["etag"] == tag, "\(field)")
        }
        let fields = [(name: "If-None-Match", value: "\"x\""), (name: "if-none-match", value: tag)]
        #expect(try await flags.post("", Flags.context("visitor-1"), headers: fields).status == 304)
        // A tag within another one does not count.
        let bare = tag.replacing("\"", with: "")
        for field in ["\"x\"", "\"x,\(bare),y\"", ""] {
            let other = try await flags.post("", Flags.context("visitor-1"), headers: [("If-None-Match", field)])
            #expect(other.status == 200, "\(field)")
            #expect(other.text == first.text, "\(field)")
        }
    }

    @Test func aNewConfigChangesTheTag() async throws {
        let flags = try Flags()
        let tag = try await flags.evaluateAll("visitor-1").headers["etag"] ?? ""
        flags.sdk.replaceProject(with: try TestProject(json: Flags.config.replacing("\"on\"", with: "\"new\"")))
        let again = try await flags.post("", Flags.context("visitor-1"), headers: [("If-None-Match", tag)])
        #expect(again.status == 200)
        #expect(again.flag("rollout")?["value"] == "new")
    }

    @Test func anAnswerIsOfOneConfigWhateverIsRefreshedMeanwhile() async throws {
        func project(_ name: String) -> TestProject {
            TestProject { for number in 0..<40 { Experience("e\(number)") { Variation(name) } } }
        }
        let sdk = ConvertSDK(testing: project("old"))
        let remote = RemoteEvaluation(sdk: sdk)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<40 { sdk.replaceProject(with: project("version-\(round)")) }
            }
            for reader in 0..<2 {
                group.addTask {
                    for round in 0..<60 {
                        let body = Array(#"{"context":{"targetingKey":"\#(reader)-\#(round)"}}"#.utf8)
                        let answer = try await Answer(
                            remote.respond(
                                to: RemoteEvaluationRequest(
                                    method: "POST", path: "/ofrep/v1/evaluate/flags", body: body)))
                        let values = Set(answer.flags.compactMap { $0["value"]?.stringValue })
                        #expect(answer.flags.count == 40)
                        #expect(values.count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aFeatureAndItsExperienceAreOfOneConfigWhateverIsRefreshedMeanwhile() async throws {
        func project(_ name: String) throws -> TestProject {
            let config = Flags.config.replacing("\"on\"", with: "\"\(name)\"")
            return try TestProject(json: config.replacing("\"one-page\"", with: "\"\(name)\""))
        }
        let sdk = ConvertSDK(testing: try project("old"))
        let flags = Flags(sdk)
        let visitor = (0..<100).map { "visitor-\($0)" }.first { id in
            sdk.createContext(visitorID: id).decide("checkout", exposure: false).variation?.variationKey == "old"
        }
        let id = try #require(visitor)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<40 { sdk.replaceProject(with: try project("version-\(round)")) }
            }
            group.addTask {
                for _ in 0..<80 {
                    let answer = try await flags.evaluateAll(id)
                    let variants = ["form", "form.limit", "checkout", "fast", "rollout"].map { key in
                        answer.flag(key)?["variant"]?.stringValue
                    }
                    #expect(Set(variants).count == 1 && variants.first != nil)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func withoutFeaturesNothingIsReportedUnderJavaScriptEither() async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.exposureReports = .singleFlags
        let project = TestProject { for number in 0..<4 { Experience("e\(number)") { Variation("a") } } }
        var settings = SDKConfiguration()
        settings.semantics = .javaScript
        let sdk = ConvertSDK(testing: project, configuration: settings)
        let answer = try await Flags(sdk, configuration).evaluateAll("visitor-1", ["location": [:]])
        #expect(answer.flags.count == 4)
        #expect(sdk.trackedEvents.isEmpty)
    }

    @Test func aConfigWithMoreFlagsThanAllowedIsRefused() async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.limits.flags = 20
        let answer = try await Flags(configuration).evaluateAll("visitor-1")
        #expect(answer.status == 500)
        #expect(answer["errorDetails"]?.stringValue?.contains("21 flags") == true)
        configuration.limits.flags = 21
        #expect(try await Flags(configuration).evaluateAll("visitor-1").status == 200)
    }

    @Test func theStreamIsNamedUnlessTheServerHasNone() async throws {
        let named = try await Flags().evaluateAll("visitor-1")
        #expect(named["eventStreams"]?.arrayValue?.count == 1)
        var configuration = RemoteEvaluationConfiguration()
        configuration.offersChanges = false
        #expect(try await Flags(configuration).evaluateAll("visitor-1")["eventStreams"] == nil)
    }
}
