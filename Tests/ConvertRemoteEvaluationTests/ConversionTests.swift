import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Testing

struct ConversionTests {
    private func track(_ flags: Flags, _ goal: String, _ rest: String = "") async throws -> Answer {
        let body = Array(#"{"context":{"targetingKey":"visitor-1"}\#(rest)}"#.utf8)
        return try await flags.send("POST", "/convert/v1/track/\(goal)", [], body)
    }

    @Test func aGoalCountsOnce() async throws {
        let flags = try Flags()
        let first = try await track(flags, "purchase")
        #expect(first.status == 202)
        #expect(first.body == ["outcome": "triggered"])
        let second = try await track(flags, "purchase")
        #expect(second.status == 200)
        #expect(second.body == ["outcome": "alreadyTriggered"])
        #expect(flags.sdk.trackedEvents == [.conversion("purchase", visitorID: "visitor-1")])
    }

    @Test func valuesAreReported() async throws {
        let flags = try Flags()
        let values = #", "revenue": 49.9, "productsCount": 2, "transactionId": "t-1""#
        #expect(try await track(flags, "purchase", values).status == 202)
        #expect(
            flags.sdk.trackedEvents == [
                .conversion(
                    "purchase", ["amount": 49.9, "productsCount": 2, "transactionId": "t-1"], visitorID: "visitor-1")
            ])
    }

    @Test func aGoalWhoseRulesDoNotMatchIsAConflict() async throws {
        let rules =
            #"{"OR": [{"AND": [{"OR_WHEN": [{"rule_type": "generic_text_key_value", "key": "size", "#
            + #""value": "big", "matching": {"match_type": "equals", "negated": false}}]}]}]}"#
        let config = Flags.config.replacing(
            #"{"id": "g1", "key": "purchase"}"#, with: #"{"id": "g1", "key": "purchase", "rules": \#(rules)}"#)
        let flags = Flags(ConvertSDK(testing: try TestProject(json: config)))
        let small = try await track(flags, "purchase", #", "ruleData": {"size": "small"}"#)
        #expect(small.status == 409)
        #expect(small.body == ["outcome": "rulesNotMatched"])
        #expect(try await track(flags, "purchase", #", "ruleData": {"size": "big"}"#).status == 202)
    }

    @Test func aGoalThatIsNotUTF8CannotBeRead() async throws {
        let answer = try await track(Flags(), "%FF")
        #expect(answer.status == 400)
        #expect(answer.text("errorCode") == "PARSE_ERROR")
    }

    @Test func anUnknownGoalIsNotFound() async throws {
        #expect(try await track(Flags(), "refund").status == 404)
        #expect(try await Flags().send("GET", "/convert/v1/track/purchase").status == 405)
        #expect(try await Flags().send("POST", "/convert/v1/track/").status == 404)
    }

    @Test(arguments: [#", "revenue": "49.9""#, #", "revenue": 1e400"#, #", "price": 1"#, #", "ruleData": []"#])
    func aMemberThatIsNotUnderstoodIsRefused(member: String) async throws {
        let flags = try Flags()
        let answer = try await track(flags, "purchase", member)
        #expect(answer.status == 400)
        #expect(answer.text("errorCode") == "PARSE_ERROR")
        #expect(flags.sdk.trackedEvents.isEmpty)
    }

    @Test func aKeyMayBeForConversionsOnly() async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.accessKeys = [RemoteEvaluationKey("shop", permissions: .track)]
        let flags = try Flags(configuration)
        let key = [(name: "X-API-Key", value: "shop")]
        let body = Array(#"{"context":{"targetingKey":"visitor-1"}}"#.utf8)
        #expect(try await flags.send("POST", "/convert/v1/track/purchase", key, body).status == 202)
        #expect(try await flags.post("/rollout", Flags.context("v"), headers: key).status == 403)
    }
}
