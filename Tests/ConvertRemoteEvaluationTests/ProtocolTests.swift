import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

/// Statuses, headers and bodies as OFREP 0.3.0 has them.
struct ProtocolTests {
    private static let flag = "/ofrep/v1/evaluate/flags/rollout"

    @Test func aFlagThatTheConfigDoesNotHaveIsNotFound() async throws {
        let answer = try await Flags().evaluate("roll%20out", "visitor-1")
        #expect(answer.status == 404)
        #expect(answer.text("key") == "roll out")
        #expect(answer.text("errorCode") == "FLAG_NOT_FOUND")
        #expect(answer["errorDetails"]?.stringValue?.contains("'roll out'") == true)
    }

    @Test(arguments: [
        (#"{"context":{}}"#, "TARGETING_KEY_MISSING"),
        (#"{"context":{"targetingKey":""}}"#, "TARGETING_KEY_MISSING"),
        (#"{"context":{"targetingKey":7}}"#, "INVALID_CONTEXT"),
        (#"{"context":{"targetingKey":"\ud800"}}"#, "INVALID_CONTEXT"),
        (#"{"context":[]}"#, "INVALID_CONTEXT"),
        (#"{}"#, "INVALID_CONTEXT"),
        (#"{"context":{"targetingKey":"v","location":"/checkout"}}"#, "INVALID_CONTEXT"),
        (#"{"context":{"targetingKey":"v","convertExposure":"no"}}"#, "INVALID_CONTEXT"),
        (#"{"context":{"targetingKey":"v","convertPreview":1}}"#, "INVALID_CONTEXT"),
        (#"[]"#, "PARSE_ERROR"),
        (#"{"context":"#, "PARSE_ERROR"),
        ("", "PARSE_ERROR"),
    ])
    func aBodyThatCannotBeUsedHasAnErrorCode(body: String, code: String) async throws {
        let flags = try Flags()
        let single = try await flags.send("POST", Self.flag, [], Array(body.utf8))
        #expect(single.status == 400)
        #expect(single.text("key") == "rollout")
        #expect(single["errorCode"] == .string(code))
        #expect(single["errorDetails"]?.stringValue?.isEmpty == false)
        let bulk = try await flags.send("POST", "/ofrep/v1/evaluate/flags", [], Array(body.utf8))
        #expect(bulk.status == 400)
        #expect(bulk["key"] == nil)
        #expect(bulk["errorCode"] == .string(code))
    }

    @Test func aVisitorsIDIsAWellFormedString() async throws {
        let body = Array(#"{"context":{"targetingKey":"\ud800"}}"#.utf8)
        let answer = try await Flags().send("POST", Self.flag, [], body)
        #expect(answer.text("errorDetails") == "the context's targetingKey is not a well-formed string.")
    }

    @Test func ofTwoMembersWithOneNameTheLastOneCounts() async throws {
        let flags = try Flags()
        let body = Array(#"{"context":{"targetingKey":"visitor-1","targetingKey":"visitor-2"}}"#.utf8)
        #expect(try await flags.send("POST", Self.flag, [], body).status == 200)
        #expect(flags.sdk.trackedEvents == [.exposure("rollout", "on", visitorID: "visitor-2")])
    }

    @Test(arguments: [
        "/", "", "/ofrep/v1/evaluate/flags/", "/ofrep/v1/evaluate/flags/a/b", "/ofrep/v1/evaluate/flagsa",
        "//ofrep/v1/evaluate/flags/a", "/ofrep/v1/evaluate/flags/../flags", "/ofrep/v2/evaluate/flags/a",
        "http://host/ofrep/v1/evaluate/flags",
    ])
    func anotherPathLeadsNowhere(path: String) async throws {
        let answer = try await Flags().send("POST", path)
        #expect(answer.status == 404)
        #expect(answer["errorDetails"] != nil)
        #expect(answer["errorCode"] == nil)
    }

    @Test func aKeyIsPercentDecodedAndTheQueryLeftOut() async throws {
        let flags = try Flags()
        let body = Array(#"{"context":{"targetingKey":"visitor-1"}}"#.utf8)
        let path = "/ofrep/v1/evaluate/flags/roll%6Fut?flagConfigEtag=1"
        #expect(try await flags.send("POST", path, [], body)["value"] == "on")
        let slash = try await flags.send("POST", "/ofrep/v1/evaluate/flags/a%2Fb", [], body)
        #expect(slash.status == 404)
        #expect(slash.text("key") == "a/b")
        let broken = try await flags.send("POST", "/ofrep/v1/evaluate/flags/a%FF", [], body)
        #expect(broken.status == 400)
        #expect(broken.text("errorCode") == "PARSE_ERROR")
    }

    @Test(arguments: ["GET", "PUT", "OPTIONS"])
    func anotherMethodIsNotAllowed(method: String) async throws {
        let answer = try await Flags().send(method, Self.flag)
        #expect(answer.status == 405)
        #expect(answer.headers["allow"] == "POST")
        #expect(answer["errorDetails"] != nil)
    }

    @Test func aBodyMustBeJSON() async throws {
        let flags = try Flags()
        let context = Flags.context("visitor-1")
        #expect(try await flags.post("/rollout", context, headers: [("Content-Type", "text/plain")]).status == 415)
        for type in ["application/json", "Application/JSON; charset=utf-8", "application/vnd.x+json"] {
            #expect(try await flags.post("/rollout", context, headers: [("Content-Type", type)]).status == 200)
        }
    }

    @Test func aCallBeforeTheFirstConfigEvaluatesNothing() async throws {
        let file = URL(fileURLWithPath: "/nowhere/config.json")
        let flags = Flags(ConvertSDK(configFile: file, mode: .offline))
        for path in ["/rollout", ""] {
            let answer = try await flags.post(path, Flags.context("visitor-1"))
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
            #expect(answer["errorDetails"] == "there is no config yet; the SDK tries to load it until it has one.")
        }
    }

    @Test func responsesOfServersHaveTheProtocolsBodies() throws {
        let busy = try Answer(.tooManyRequests(retryAfter: 0))
        #expect(busy.status == 429)
        #expect(busy.headers["retry-after"] == "1")
        #expect(busy["errorDetails"] != nil)
        let broken = try Answer(.serverError("the disk is full."))
        #expect(broken.status == 500)
        #expect(broken.body == ["errorDetails": "the disk is full."])
        #expect(try Answer(.bodyTooLong(limit: 9)).status == 413)
    }

    @Test(arguments: ["/flags", "flags", "/flags/", "//flags//"])
    func aPrefixComesBeforeEveryPath(prefix: String) async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.pathPrefix = prefix
        let flags = try Flags(configuration)
        let body = Array(#"{"context":{"targetingKey":"visitor-1"}}"#.utf8)
        #expect(try await flags.send("POST", Self.flag, [], body).status == 404)
        #expect(try await flags.send("POST", "/flags" + Self.flag, [], body)["value"] == "on")
        let bulk = try await flags.send("POST", "/flags/ofrep/v1/evaluate/flags", [], body)
        #expect(bulk.text.contains(#""requestUri":"/flags/ofrep/v1/changes?since="#))
    }

    @Test func aPrefixOfSlashesMeansNoPrefix() async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.pathPrefix = "//"
        let body = Array(#"{"context":{"targetingKey":"visitor-1"}}"#.utf8)
        #expect(try await Flags(configuration).send("POST", Self.flag, [], body)["value"] == "on")
    }
}
