import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// A line that withholds properties hides only the differences that these may have made.
struct WithheldPropertiesTests {
    /// `one` reads the plan, `two` keeps out visitors of `one`, `three` reads nothing, `four` reads the path.
    private static func config(
        _ plan: JSValue = "pro", _ changes: JSObject = [:], archived: [JSValue] = [], type: JSValue = "transient"
    ) -> JSObject {
        let question = Configs.leaf("x", "equals", "one", negated: true, type: "bucketed_into_experience_key")
        let flow: JSValue = ["type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": [:]]]
        let carrier = Configs.variation("111", "a", 100, ["changes": [flow]])
        var one = changes
        one["audiences"] = ["5"]
        if one["variations"] == nil { one["variations"] = [.object(carrier)] }
        return Configs.config([
            "audiences": [
                Configs.audience("5", Configs.all(Configs.leaf("plan", "equals", plan)), ["type": type]),
                Configs.audience("6", Configs.all(question)),
            ],
            "locations": [Configs.audience("8", Configs.all(Configs.leaf("path", "startsWith", "/shop")))],
            "features": [["id": "7", "key": "flow", "variables": []]],
            "experiences": [
                .object(Configs.experience("one", id: "1", one)),
                .object(Configs.experience("two", id: "2", ["audiences": ["6"]])),
                .object(Configs.experience("three", id: "3")),
                .object(Configs.experience("four", id: "4", ["locations": ["8"]])),
            ],
            "archived_experiences": .array(archived),
        ])
    }

    /// The differences of a line that withholds `names`, each with the names that may have made it.
    private static func differences(
        _ members: String, withheld names: String..., config: JSObject = config()
    ) throws -> [DecisionReplay.Subject: [String]] {
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        let line = #"{"visitorId":"v-1","locationProperties":{},"withheld":[\#(list)],\#(members)}"#
        let logged = try Array(line.utf8).withElements { try LoggedDecisions(json: $0) }
        let replay = DecisionReplay(try ProjectConfig(json: Configs.data(config)))
        return Dictionary(uniqueKeysWithValues: try replay.differences(from: logged).map { ($0.subject, $0.withheld) })
    }

    @Test func aPropertyThatNoRuleReadsHidesNothing() throws {
        let found = try Self.differences(
            #""decisions":{"one":"a","three":null,"four":"a"}"#, withheld: "email", "person.plan", "plans")
        #expect(found == [.experience("one"): [], .experience("three"): [], .experience("four"): []])
    }

    @Test func aPropertyHidesDifferencesOfTheExperiencesThatReadIt() throws {
        let answers = #""decisions":{"one":"a","three":null,"four":"b"}"#
        #expect(
            try Self.differences(answers, withheld: "plan")
                == [.experience("one"): ["plan"], .experience("three"): [], .experience("four"): []])
        // Names match in any case, as redaction does, and a part of a value may be what is read.
        for name in ["PATH", "path", "path.deep.inside"] {
            let found = try Self.differences(answers, withheld: name)
            #expect(found == [.experience("one"): [], .experience("three"): [], .experience("four"): [name]])
        }
    }

    @Test func experiencesThatAskAboutAnotherAreHiddenWithIt() throws {
        let withheld = try Self.differences(#""call":{"all":true},"decisions":{"two":null}"#, withheld: "plan")
        #expect(withheld[.experience("two")] == ["plan"])
        let other = try Self.differences(#""call":{"all":true},"decisions":{"two":null}"#, withheld: "path")
        #expect(other[.experience("two")] == [])
        // Of another call only what it stored counts, and that is in the line.
        let alone = try Self.differences(#""decisions":{"two":null}"#, withheld: "plan")
        #expect(alone == [.experience("two"): []])
        let stored = #""stored":{"bucketing":{"1":"gone"}},"call":{"all":true},"decisions":{"two":"a"}"#
        #expect(try Self.differences(stored, withheld: "plan")[.experience("two")] == [])
    }

    @Test func aDifferenceThatNoPropertyCanMakeIsKnown() throws {
        let answers = #""decisions":{"one":"a"}"#
        #expect(try Self.differences(answers, withheld: "plan") == [.experience("one"): ["plan"]])
        let archived = Self.config(archived: ["1"])
        #expect(try Self.differences(answers, withheld: "plan", config: archived) == [.experience("one"): []])
        let elsewhere = Self.config("pro", ["environment": "production"])
        #expect(try Self.differences(answers, withheld: "plan", config: elsewhere) == [.experience("one"): []])
        // The plan that the line has lets the visitor in, and there is no variation behind.
        let empty = Self.config("pro", ["variations": [.object(Configs.variation("111", "a", 0))]])
        let line = #""attributes":{"plan":"pro"},\#(answers)"#
        #expect(try Self.differences(line, withheld: "plan", config: empty) == [.experience("one"): []])
        // Whatever the plan was, the visitor gets this variation or none.
        let another = Self.config("pro", ["variations": [.object(Configs.variation("112", "b", 100))]])
        #expect(try Self.differences(line, withheld: "plan", config: another) == [.experience("one"): []])
        // A variation may be forced instead.
        #expect(
            try Self.differences(line, withheld: "forcedVariations", config: another)
                == [.experience("one"): ["forcedVariations"]])
    }

    @Test func aVariationThatTheVisitorCannotGetIsKnownToDiffer() throws {
        let arms: JSObject = [
            "variations": [.object(Configs.variation("111", "a", 50)), .object(Configs.variation("112", "b", 50))]
        ]
        func differences(_ logged: String, _ members: String = "") throws -> [String]? {
            try Self.differences(
                #"\#(members)"decisions":{"one":"\#(logged)"}"#, withheld: "plan", config: Self.config("pro", arms))[
                    .experience("one")]
        }
        // Behind the gates there is one variation for this visitor.
        #expect(
            try [differences("a"), differences("b")].sorted { ($0 ?? []).count < ($1 ?? []).count } == [[], ["plan"]])
        #expect(try differences("purple") == [])
        // A stored decision is that one.
        for (id, key) in [("111", "a"), ("112", "b")] {
            let stored = #""stored":{"bucketing":{"1":"\#(id)"}},"#
            #expect(try differences("a", stored) == (key == "a" ? ["plan"] : []))
        }
        // The call forces one that the config does not have.
        #expect(try differences("purple", #""call":{"forcedVariation":"purple"},"#) == [])
    }

    @Test func answersThatExcludeEachOtherAreKnownToDiffer() throws {
        // Whatever the plan was: a visitor is in one of both, and in no more.
        func differences(_ one: String, _ two: String) throws -> [DecisionReplay.Subject: [String]] {
            try Self.differences(
                #""call":{"all":true},"decisions":{"one":\#(one),"two":\#(two),"three":"a","four":null}"#,
                withheld: "plan", config: Self.config("pro", [:]))
        }
        let variation = try Self.differences(
            #""call":{"all":true},"decisions":{"one":null,"two":"x"}"#, withheld: "plan")
        #expect(variation[.experience("two")] == [])
        let (first, second) = (try differences(#""a""#, #""b""#), try differences("null", "null"))
        #expect(first[.experience("one")] == ["plan"] && first[.experience("two")] == [])
        #expect(second[.experience("one")] == ["plan"] && second[.experience("two")] == [])
        #expect(try differences(#""a""#, "null")[.experience("two")] == ["plan"])
    }

    @Test func aFeatureThatNoPropertyCanGiveIsKnownToDiffer() throws {
        func differences(_ size: Int) throws -> [String]? {
            let change: JSValue = [
                "type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["size": 1]],
            ]
            let arm = Configs.variation("111", "a", 100, ["changes": [change]])
            let answer = #""features":{"flow":[{"experience":"one","variables":{"size":\#(size)}}]}"#
            return try Self.differences(
                #""call":{"features":true},\#(answer)"#, withheld: "plan",
                config: Self.config("pro", ["variations": [.object(arm)]]))[.feature("flow")]
        }
        #expect(try differences(1) == ["plan"] && differences(2) == [])
    }

    @Test func aWithheldIdHidesWhatABucketValueDecides() throws {
        let arms: JSObject = [
            "variations": [.object(Configs.variation("111", "a", 50)), .object(Configs.variation("112", "b", 50))]
        ]
        func differences(_ logged: String, plan: String) throws -> [String]? {
            try Self.differences(
                #""attributes":{"plan":"\#(plan)"},"decisions":{"one":\#(logged)}"#, withheld: "visitorId",
                config: Self.config("pro", arms))[.experience("one")]
        }
        // One of both is what the pseudonym gets, by accident.
        #expect(try differences(#""a""#, plan: "pro") == ["visitorId"])
        #expect(try differences(#""b""#, plan: "pro") == ["visitorId"])
        #expect(try differences("null", plan: "pro") == ["visitorId"])
        #expect(try differences(#""c""#, plan: "pro") == [])
        // No id opens the gates.
        #expect(try differences(#""a""#, plan: "free") == [])
    }

    @Test func aPermanentAudienceIsNotAskedAboutAStoredDecision() throws {
        let line = #""stored":{"bucketing":{"1":"111"}},"decisions":{"one":null}"#
        let permanent = Self.config(type: "permanent")
        #expect(try Self.differences(line, withheld: "plan", config: permanent) == [.experience("one"): []])
        let transient = #""stored":{"bucketing":{"1":"111"}},"decisions":{"one":"a"}"#
        #expect(try Self.differences(transient, withheld: "plan") == [.experience("one"): ["plan"]])
    }

    @Test func aFeatureIsHiddenWithTheExperiencesThatCarryIt() throws {
        let features = #""call":{"feature":"flow"},"features":{"flow":[{"experience":"one","variables":{}}]}"#
        #expect(try Self.differences(features, withheld: "plan") == [.feature("flow"): ["plan"]])
        #expect(try Self.differences(features, withheld: "path") == [.feature("flow"): []])
        let all = #""call":{"features":true},"features":{"flow":[{"experience":"one","variables":{}}]}"#
        #expect(try Self.differences(all, withheld: "plan") == [.feature("flow"): ["plan"]])
    }

    /// `five` and `six` read the plan, and carry nothing.
    private static func plans(_ five: JSValue, _ six: JSValue) -> JSObject {
        Configs.config([
            "audiences": [Configs.audience("5", Configs.all(five)), Configs.audience("6", Configs.all(six))],
            "experiences": [
                .object(
                    Configs.experience(
                        "five", id: "5",
                        ["audiences": ["5"], "variations": [.object(Configs.variation("51", "a", 100))]])),
                .object(
                    Configs.experience(
                        "six", id: "6",
                        ["audiences": ["6"], "variations": [.object(Configs.variation("61", "b", 100))]])),
            ],
        ])
    }

    private static let isPro = Configs.leaf("plan", "equals", "pro")

    @Test func anAnswerThatAgreesByAccidentIsNotKnown() throws {
        let found = try Self.differences(
            #""call":{"all":true},"decisions":{"five":null,"six":null}"#, withheld: "plan",
            config: Self.plans(Self.isPro, Self.isPro))
        #expect(found == [.experience("five"): ["plan"], .experience("six"): ["plan"]])
    }

    @Test func answersThatNoValueGivesTogetherDiffer() throws {
        let answers = [
            (Self.isPro, #"{"five":null,"six":"b"}"#),
            (Configs.leaf("plan", "exists", ""), #"{"five":"a","six":null}"#),
            (Configs.leaf("plan", "equals", "pro", negated: true), #"{"five":"a","six":"b"}"#),
        ]
        for (six, decisions) in answers {
            let found = try Self.differences(
                #""call":{"all":true},"decisions":\#(decisions)"#, withheld: "plan",
                config: Self.plans(Self.isPro, six))
            #expect(found.values.contains([]), "\(decisions)")
        }
        // Each by itself may be.
        let alone = try Self.differences(
            #""decisions":{"six":"b"}"#, withheld: "plan", config: Self.plans(Self.isPro, Self.isPro))
        #expect(alone == [.experience("six"): ["plan"]])
    }

    @Test func anAnswerThatEveryValueGivesIsAsLogged() throws {
        // Without traffic no plan gets anything.
        var members = Self.plans(Self.isPro, Self.isPro)
        members["experiences"] = [
            .object(
                Configs.experience(
                    "five", id: "5", ["audiences": ["5"], "variations": [.object(Configs.variation("51", "a", 0))]]))
        ]
        let found = try Self.differences(#""decisions":{"five":null}"#, withheld: "plan", config: members)
        #expect(found.isEmpty)
    }

    @Test func aFeatureAndADecisionThatNoValueGivesTogetherDiffer() throws {
        let line = #""call":{"all":true},"features":{"flow":null},"decisions":{"one":"a","two":null,"three":"a"}"#
        let found = try Self.differences(line, withheld: "plan")
        #expect(found[.feature("flow")] == [] && found[.experience("one")] == ["plan"])
    }

    @Test func anExperienceThatAPseudonymousLineLacksHidesThoseThatAskAboutIt() throws {
        let line = #""call":{"all":true},"buckets":{"two":100,"three":100},"decisions":{"two":null,"three":null}"#
        let found = try Self.differences(line)
        #expect(found == [.experience("two"): ["visitorId"], .experience("three"): []])
    }

    @Test func segmentsHideTheExperiencesThatRequireThem() throws {
        let config = Configs.config([
            "segments": [["id": "9", "key": "s", "rules": ["OR": []]]],
            "experiences": [
                .object(Configs.experience("one", id: "1", ["audiences": ["9"]])),
                .object(Configs.experience("two", id: "2", ["environment": "production"])),
            ],
        ])
        let found = try Self.differences(
            #""decisions":{"one":"a","two":"a"}"#, withheld: "customSegments", config: config)
        #expect(found == [.experience("one"): ["customSegments"], .experience("two"): []])
    }
}
