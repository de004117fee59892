import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

/// The rows of the article on the mapping, in its order.
struct MappingTests {
    @Test func aFeatureThatTheVisitorHasIsTrue() async throws {
        let flags = try Flags()
        let answer = try await flags.evaluate("form", flags.visitor(seeing: "one-page"))
        #expect(answer.status == 200)
        #expect(answer.text("key") == "form")
        #expect(answer["value"] == true)
        #expect(answer.text("variant") == "one-page")
    }

    @Test func aFeatureThatTheVisitorDoesNotHaveIsFalse() async throws {
        let flags = try Flags()
        let answer = try await flags.evaluate("form", flags.visitor(seeing: "classic"))
        #expect(answer.status == 200)
        #expect(answer["value"] == false)
        #expect(answer.text("reason") == "UNKNOWN")
        #expect(answer.text("variant") == "disabled")
        #expect(answer.fact("cause") == "notGiven")
        #expect(try await flags.evaluate("idle", "visitor-1").fact("cause") == "notCarried")
    }

    @Test func aVariableIsItsValueOfItsType() async throws {
        let flags = try Flags()
        let visitor = try flags.visitor(seeing: "one-page")
        #expect(try await flags.evaluate("form.isShort", visitor)["value"] == true)
        #expect(try await flags.evaluate("form.headline", visitor)["value"] == "Almost there")
        #expect(try await flags.evaluate("form.layout", visitor)["value"] == ["columns": 2])
    }

    @Test func anIntegerHasNoFractionAndAFloatAlwaysHasOne() async throws {
        let flags = try Flags()
        let visitor = try flags.visitor(seeing: "one-page")
        #expect(try await flags.evaluate("form.limit", visitor).text.contains(#""value":12,"#))
        #expect(try await flags.evaluate("form.ratio", visitor).text.contains(#""value":10.0,"#))
    }

    @Test func anIntegralFloatAmongAllVariablesHasNoFraction() async throws {
        let flags = try Flags()
        let visitor = try flags.visitor(seeing: "one-page")
        #expect(try await flags.evaluate("form.*", visitor).text.contains(#""ratio":10,"#))
        #expect(try await flags.evaluateAll(visitor).text.contains(#""key":"form.ratio","value":10.0,"#))
    }

    @Test func aVariableOfAFeatureThatIsOffHasNoValue() async throws {
        let flags = try Flags()
        let answer = try await flags.evaluate("form.limit", flags.visitor(seeing: "classic"))
        #expect(answer.status == 200)
        #expect(answer["value"] == nil)
        #expect(answer.text("reason") == "UNKNOWN")
    }

    @Test(arguments: ["steps": "valueNotRepresentable", "broken": "valueNotRepresentable", "unset": "variableNotSet"])
    func aVariableThatTheProtocolCannotCarryHasNoValue(variable: String, cause: String) async throws {
        let flags = try Flags()
        let answer = try await flags.evaluate("form.\(variable)", flags.visitor(seeing: "one-page"))
        #expect(answer.status == 200)
        #expect(answer["value"] == nil)
        #expect(answer.metadata["cause"] == .string(cause))
    }

    @Test func allVariablesAreAnObject() async throws {
        let flags = try Flags()
        let value = try await flags.evaluate("form.*", flags.visitor(seeing: "one-page"))["value"]?.objectValue
        #expect(value?["headline"] == "Almost there")
        #expect(value?["limit"] == 12)
        #expect(value?["steps"] == [1, 2])
        #expect(try await flags.evaluate("fast.%2A", "visitor-1")["value"] == [:])
    }

    @Test func anExperienceIsTheKeyOfItsVariation() async throws {
        let flags = try Flags()
        let answer = try await flags.evaluate("checkout", flags.visitor(seeing: "classic"))
        #expect(answer["value"] == "classic")
        #expect(answer.text("variant") == "classic")
    }

    @Test func theShareOfTrafficIsASplit() async throws {
        let flags = try Flags()
        #expect(try await flags.evaluate("checkout", "visitor-1").text("reason") == "SPLIT")
        let visitor = try flags.visitor(seeing: "one-page")
        #expect(try await flags.evaluate("form", visitor).text("reason") == "SPLIT")
    }

    @Test func oneVariationForEverybodyIsATargetingMatch() async throws {
        let flags = try Flags()
        for key in ["rollout", "fast"] {
            let answer = try await flags.evaluate(key, "visitor-of-\(key)")
            #expect(answer.text("reason") == "TARGETING_MATCH")
            #expect(answer.fact("source") == nil)
        }
    }

    @Test(arguments: ["checkout", "form"])
    func aForcedVariationIsStatic(key: String) async throws {
        let flags = try Flags()
        let visitor = try flags.visitor(seeing: "classic")
        flags.sdk.force("checkout", "one-page", visitorID: visitor)
        let answer = try await flags.evaluate(key, visitor)
        #expect(answer.text("reason") == "STATIC")
        #expect(answer.text("variant") == "one-page")
        #expect(answer.fact("source") == "forced")
    }

    @Test func aPreviewIsStaticWhereTheServerAllowsIt() async throws {
        let project = Flags.config.replacing("\"e1\"", with: "\"101\"").replacing("\"v1\"", with: "\"202\"")
        let sdk = ConvertSDK(testing: try TestProject(json: project))
        var configuration = RemoteEvaluationConfiguration()
        let closed = Flags(sdk, configuration)
        let visitor = try closed.visitor(seeing: "classic")
        let preview: JSObject = ["convertPreview": "101.202"]
        #expect(try await closed.evaluate("checkout", visitor, preview).text("variant") == "classic")
        configuration.allowsPreviews = true
        let open = Flags(sdk, configuration)
        for key in ["checkout", "form"] {
            let answer = try await open.evaluate(key, visitor, preview)
            #expect(answer.text("reason") == "STATIC")
            #expect(answer.text("variant") == "one-page")
            #expect(answer.fact("source") == "preview")
        }
    }

    @Test(arguments: ["11.22", "12.24", "13.26", "14.28"])
    func aPreviewIsTheSameInTheAnswerForAllFlagsAndForOne(preview: String) async throws {
        // The third experience repeats the first one's key.
        let experiences = zip(11..., ["first", "second", "first", "last"]).map { id, key in
            let feature = #"{"type": "fullStackFeature", "data": {"feature_id": "\#(id)", "variables_data": {}}}"#
            return """
                {"id": "\(id)", "key": "\(key)", "version": 8, "variations": [
                {"id": "\(2 * id - 1)", "key": "usual", "traffic_allocation": 100},
                {"id": "\(2 * id)", "key": "previewed", "traffic_allocation": 0, "changes": [\(feature)]}]}
                """
        }
        let features = (11...14).map { #"{"id": "\#($0)", "key": "feature-\#($0)", "variables": []}"# }
        let project = """
            {"account_id": "1", "project": {"id": "2"}, "features": [\(features.joined(separator: ","))],
            "experiences": [\(experiences.joined(separator: ","))]}
            """
        var configuration = RemoteEvaluationConfiguration()
        configuration.allowsPreviews = true
        let flags = Flags(ConvertSDK(testing: try TestProject(json: project)), configuration)
        let all = try await flags.evaluateAll("visitor-1", ["convertPreview": .string(preview)])
        for key in ["first", "second", "last", "feature-11", "feature-12", "feature-13", "feature-14"] {
            let one = try await flags.evaluate(key, "visitor-1", ["convertPreview": .string(preview)])
            let among = try #require(all.flag(key))
            for member in ["value", "variant", "reason", "metadata"] {
                #expect(among[member] == one[member], "\(key)")
            }
        }
    }

    @Test func aStoredDecisionIsASplitThatSaysSo() async throws {
        let flags = try Flags()
        for (key, visitor) in [("checkout", "visitor-1"), ("rollout", "visitor-1"), ("fast", "visitor-2")] {
            #expect(try await flags.evaluate(key, visitor).fact("source") == nil)
            let again = try await flags.evaluate(key, visitor)
            #expect(again.text("reason") == "SPLIT", "\(key)")
            #expect(again.fact("source") == "stored", "\(key)")
        }
    }

    @Test func anIneligibleVisitorGetsNoValueAndNoError() async throws {
        let flags = try Flags()
        let answer = try await flags.evaluate("insider-menu", "visitor-1", ["plan": "basic"])
        #expect(answer.status == 200)
        #expect(answer["value"] == nil)
        #expect(answer["errorCode"] == nil)
        #expect(answer.text("reason") == "UNKNOWN")
        #expect(answer.text("variant") == "none")
        #expect(answer.fact("cause") == "audienceNotMatched")
        #expect(answer.fact("experienceId") == "e3")
        #expect(try await flags.evaluate("insider-menu", "visitor-1", ["plan": "insider"])["value"] == "wide")
    }

    @Test func anArchivedExperienceIsDisabled() async throws {
        let flags = try Flags()
        let experience = try await flags.evaluate("finished", "visitor-1")
        #expect(experience.text("reason") == "DISABLED")
        #expect(experience["value"] == nil)
        let feature = try await flags.evaluate("old", "visitor-1")
        #expect(feature.text("reason") == "DISABLED")
        #expect(feature["value"] == false)
    }

    @Test func theMemberLocationIsWhereTheVisitorIs() async throws {
        let flags = try Flags()
        let here: JSObject = ["location": ["path": "/checkout"]]
        #expect(try await flags.evaluate("at-checkout", "visitor-1", here)["value"] == "here")
        // An attribute with the property's name says nothing of the place.
        let elsewhere = try await flags.evaluate("at-checkout", "visitor-1", ["path": "/checkout"])
        #expect(elsewhere.fact("cause") == "locationNotMatched")
    }

    @Test func metadataNameExperienceVariationAndConfig() async throws {
        let sdk = try ConvertSDK(configData: Data(Flags.config.utf8), mode: .offline)
        let revision = try #require(sdk.configStatus.revision)
        let answer = try await Flags(sdk).evaluate("rollout", "visitor-1")
        #expect(
            answer.metadata == [
                "experienceId": "e2", "experienceKey": "rollout", "variationId": "v3",
                "configRevision": .string(revision),
            ])
        #expect(try await Flags(sdk).evaluateAll("visitor-1").metadata["configRevision"] == .string(revision))
    }

    @Test func aKeyOfTheConfigIsNeverHiddenByAVariable() async throws {
        let config = Flags.config.replacing("\"key\": \"rollout\"", with: "\"key\": \"form.limit\"")
        let flags = Flags(ConvertSDK(testing: try TestProject(json: config)))
        #expect(try await flags.evaluate("form.limit", "visitor-1")["value"] == "on")
        let keys = try await flags.evaluateAll("visitor-1").flags.compactMap { $0["key"]?.stringValue }
        #expect(Set(keys).count == keys.count)
        #expect(keys.contains("form.limit"))
    }
}
