import ConvertSwiftSDKCore
import ConvertTesting
import Foundation
import Testing

struct TestProjectTests {
    let project = TestProject {
        Audience("insiders", where: .equals("plan", "insider") && !.exists("banned"))
        Location("shop", where: .startsWith("path", "/shop") || .equals("path", "/"))
        Segment("buyers", where: .equals("bought", "yes"))
        Experience("checkout", audiences: ["insiders"], locations: ["shop"]) {
            Variation("control", weight: 50)
            Variation("green", weight: 50, features: ["express-pay": ["limit": "3"]])
        }
        Experience("live", environment: "production") { Variation("only") }
        Experience("buyers-only", audiences: ["buyers"]) { Variation("only") }
        Feature("express-pay", variables: ["limit": .integer])
        Goal("purchase")
    }

    @Test func aProjectMadeInSwiftDecidesByItsRules() {
        let sdk = ConvertSDK(testing: project)
        func reason(_ attributes: JSObject, _ place: JSObject) -> Decision.Reason? {
            sdk.createContext(visitorID: "v", attributes: attributes, locationProperties: place).decide("checkout")
                .reason
        }
        #expect(reason(["plan": "Insider"], ["path": "/shop/1"]) == nil)
        #expect(reason(["plan": "insider"], ["path": "/"]) == nil)
        #expect(reason(["plan": "insider"], ["path": "/blog"]) == .locationNotMatched)
        #expect(reason(["plan": "free"], ["path": "/shop"]) == .audienceNotMatched)
        #expect(reason(["plan": "insider", "banned": "yes"], ["path": "/shop"]) == .audienceNotMatched)
    }

    @Test func environmentsSegmentsAndFeaturesWork() {
        let sdk = ConvertSDK(testing: project)
        let context = sdk.createContext(visitorID: "v", attributes: ["bought": "yes"])
        #expect(context.decide("live").reason == .otherEnvironment)
        #expect(
            ConvertSDK(testing: project, environment: "production").createContext(visitorID: "v").decide(
                "live"
            ).variation != nil)
        #expect(context.decide("buyers-only").reason == .segmentNotMatched)
        context.runCustomSegments(["buyers"])
        #expect(context.decide("buyers-only").variation != nil)
        let insiders = (0..<100).map {
            sdk.createContext(visitorID: "v\($0)", attributes: ["plan": "insider"], locationProperties: ["path": "/"])
        }
        let limits = insiders.map { $0.feature("express-pay").integer("limit") }
        #expect(
            limits.contains(3) && limits.contains(nil), "some see the variation that carries it, with its variable cast"
        )
    }

    @Test func aWeightIsAShareOfTheVisitors() {
        let project = TestProject {
            Experience("split") {
                Variation("rare", weight: 10)
                Variation("often", weight: 90)
            }
        }
        let sdk = ConvertSDK(testing: project)
        let keys = (0..<1000).map { sdk.createContext(visitorID: "v\($0)").decide("split").variation?.variationKey }
        #expect((50...150).contains(keys.count { $0 == "rare" }) && !keys.contains(nil))
    }

    @Test func partsMayBeMadeInLoopsAndConditions() {
        let isBig = true
        let project = TestProject {
            for number in 1...3 {
                Experience("e\(number)") {
                    for letter in ["a", "b"] { Variation(letter, weight: 50) }
                    if isBig { Variation("c", weight: 0) }
                }
            }
            if isBig { Goal("g") } else { Goal("h") }
        }
        #expect(project.config.experiences.map(\.key) == ["e1", "e2", "e3"])
        #expect(project.config.experiences.allSatisfy { $0.variations.count == 3 })
        #expect(project.config.goals.map(\.key) == ["g"])
    }

    @Test func idsMayBeGiven() {
        let project = TestProject {
            Experience("checkout", id: "10", audiences: ["pro"]) {
                Variation("green", id: "20", features: ["flag": [:]])
            }
            Audience("pro", id: "30", where: .equals("plan", "pro"))
            Feature("flag", id: "40")
        }
        let context = ConvertSDK(testing: project).createContext(visitorID: "v", attributes: ["plan": "pro"])
        let variation = context.decide("checkout").variation
        #expect(variation?.experienceID == "10" && variation?.variationID == "20")
        #expect(context.feature("flag").id == "40" && context.isFeatureEnabled("flag"))
    }

    @Test func aNameThatTheProjectDoesNotHaveFailsTheTest() {
        func project(_ experience: Experience) -> TestProject {
            TestProject {
                experience
                Audience("insiders", id: "30", where: .exists("plan"))
                Segment("buyers", where: .exists("bought"))
                Location("shop", where: .exists("path"))
                Feature("express-pay", id: "40")
            }
        }
        _ = project(
            Experience("e", audiences: ["insiders", "buyers", "30"], locations: ["shop"]) {
                Variation("v", features: ["express-pay": [:], "40": [:]])
            })
        withKnownIssue {
            _ = project(Experience("e", audiences: ["insider"]) { Variation("v") })
        } matching: {
            $0.says(
                "experience 'e' of a TestProject names audience or segment 'insider', which the project does not have")
        }
        withKnownIssue {
            _ = project(Experience("e", locations: ["shpo"]) { Variation("v") })
        } matching: {
            $0.says("names location 'shpo', which the project does not have; did you mean 'shop'?")
        }
        withKnownIssue {
            _ = project(Experience("e") { Variation("v", features: ["express-pya": [:]]) })
        } matching: {
            $0.says("names feature 'express-pya'")
        }
    }

    @Test func rulesAndEventsAreMadeOfSwiftValues() {
        let (plan, amount, coupon) = ("pro", 49.9, String?.none)
        let sdk = ConvertSDK(
            testing: TestProject {
                Audience("them", where: .equals("plan", plan) && .equals("visits", 3) && .equals("new", .bool(true)))
                Experience("e", audiences: ["them"]) { Variation("v") }
                Goal("purchase")
            })
        let visitor = sdk.createContext(visitorID: "v1", attributes: ["plan": plan, "visits": 3, "new": true])
        #expect(visitor.decide("e").variation != nil)
        visitor.trackConversion("purchase", revenue: amount)
        #expect(
            sdk.trackedEvents.last == .conversion("purchase", ["amount": amount, "coupon": coupon], visitorID: "v1"))
    }

    @Test func aProjectFromJSONIsTheOneThatTheCDNServes() throws {
        let json =
            #"{"account_id": "1", "project": {"id": "2"}, "#
            + #""experiences": [{"id": "3", "key": "e", "variations": [{"id": "4", "key": "v"}]}]}"#
        let sdk = ConvertSDK(testing: try TestProject(json: json))
        #expect(sdk.createContext(visitorID: "v").decide("e").variation?.variationKey == "v")
        #expect(throws: ConfigError.self) { try TestProject(json: "{}") }
    }

    @Test func everyOperatorOfARuleWorks() {
        let rules: [(TestRule, JSObject, JSObject)] = [
            (.equals("a", "x"), ["a": "X"], ["a": "y"]), (.contains("a", "b"), ["a": "abc"], ["a": "ac"]),
            (.startsWith("a", "b"), ["a": "bc"], ["a": "cb"]), (.endsWith("a", "b"), ["a": "cb"], ["a": "bc"]),
            (.isIn("a", ["x", "y"]), ["a": "y"], ["a": "z"]), (.less("a", 3), ["a": 2], ["a": 3]),
            (.lessOrEqual("a", 3), ["a": 3], ["a": 4]), (.exists("a"), ["a": "x"], [:]),
            (.absent("a"), [:], ["a": "x"]),
            (.compare("a", "regexMatches", "^b+$"), ["a": "bb"], ["a": "c"]),
            (!(.equals("a", "x") || .equals("b", "y")), ["a": "1", "b": "2"], ["a": "1", "b": "y"]),
            (!(.equals("a", "x") && .equals("b", "y")), ["a": "1", "b": "y"], ["a": "x", "b": "y"]),
            (!(!(.equals("a", "x"))), ["a": "x"], ["a": "y"]),
            ((.exists("a") || .exists("b")) && (.exists("c") || .exists("d")), ["b": 1, "c": 1], ["a": 1, "b": 1]),
        ]
        for (index, (rule, match, other)) in rules.enumerated() {
            let sdk = ConvertSDK(
                testing: TestProject {
                    Audience("them", where: rule)
                    Experience("e", audiences: ["them"]) { Variation("v") }
                })
            #expect(sdk.createContext(visitorID: "v", attributes: match).decide("e").variation != nil, "\(index)")
            #expect(sdk.createContext(visitorID: "v", attributes: other).decide("e").variation == nil, "\(index)")
        }
    }
}
