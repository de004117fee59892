import ConvertSwiftSDKCore
import ConvertSwiftSDK
import Foundation
import Testing

struct ExplanationTests {
    private let sdk: ConvertSDK

    init() throws { sdk = try Fixture.sdk() }

    @Test func anExplanationIsPrintedAsATree() {
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "free"])
        let lines = "\(context.explain("pros").map { "\($0)" } ?? "")".split(separator: "\n")
        #expect(lines.first == "pros for v1: audienceNotMatched")
        #expect(lines.contains("  + archived: not archived"))
        #expect(lines.last == "          - plan (\"free\") equals \"pro\"")
    }

    @Test func aListOfEnvironmentsIsExplainedAsNoRestriction() {
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        func gates(_ key: String) -> [String] { context.explain(key)?.gates.map(\.detail) ?? [] }
        let remark = "; 'environments' names production, staging and restricts no visitor"
        #expect(gates("all").contains("runs anywhere, asked for staging" + remark))
        #expect(gates("pros").contains("runs anywhere, asked for staging"))
    }

    @Test func variationsAreNamedByKeyAndID() throws {
        let explanation = try #require(sdk.createContext(visitorID: "v1").explain("all"))
        #expect(explanation.bucketing?.ranges.map(\.variationKey) == ["all-a", "all-b"])
        #expect("\(explanation)".contains("variation all-a (900)\n"))
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        context.decide("pros")
        #expect(context.explain("pros")?.description.contains("stored variation pros-a (910)\n") == true)
        let data = try JSONEncoder().encode(explanation)
        #expect(try JSONDecoder().decode(Explanation.self, from: data) == explanation)
    }

    @Test(arguments: [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity"), (0.5, "0.5")])
    func numbersThatJSONDoesNotHaveAreShown(number: Double, text: String) {
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": .number(number)])
        #expect(context.explain("pros")?.description.contains("plan (\(text)) equals") == true)
    }

    @Test func aDisabledFeatureSaysWhy() {
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "free"])
        #expect(context.feature("nope").disabledReason == .undeclared)
        #expect(context.feature("other").disabledReason == .notCarried)
        #expect(context.feature("flow", experienceKeys: ["carrier"]).disabledReason == .notGiven)
        let pro = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        #expect(pro.feature("flow").disabledReason == nil)
    }

    @Test func aFeatureIsExplainedByEachExperienceThatCarriesIt() throws {
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        let explanation = try #require(context.explainFeature("flow"))
        #expect(explanation.status == .enabled && explanation.reason == nil)
        #expect(explanation.carriers.map(\.explanation.experienceKey) == ["all", "carrier"])
        #expect(explanation.carriers.map(\.variations) == [["all-b"], ["carrier-a"]])
        #expect(explanation.carriers.last?.carries == true)
        #expect(context.visitorData == VisitorState(), "explaining leaves no trace")
        for carrier in explanation.carriers {
            #expect(carrier.carries == carrier.variations.contains(carrier.explanation.variation ?? ""))
        }
        let off = try #require(sdk.createContext(visitorID: "v1", attributes: ["plan": "free"]).explainFeature("other"))
        #expect(off.status == .disabled && off.reason == .notCarried && off.carriers.isEmpty)
        #expect("\(off)" == "- feature other for v1: disabled, notCarried")
        let data = try JSONEncoder().encode(explanation)
        #expect(try JSONDecoder().decode(FeatureExplanation.self, from: data) == explanation)
    }

    @Test(arguments: 0..<30) func anExplanationOfAFeatureAgreesWithTheFeature(number: Int) {
        let context = sdk.createContext(
            visitorID: "v\(number)", attributes: ["plan": number % 3 == 0 ? "pro" : "free"])
        let explanation = context.explainFeature("flow")
        let features = context.allFeatures("flow").features
        #expect(explanation?.status == features.first?.status && explanation?.reason == features.first?.disabledReason)
        #expect(
            explanation?.carriers.filter(\.carries).map(\.explanation.experienceKey)
                == features.compactMap(\.experienceKey))
    }

    @Test func aGoalExplainsItself() throws {
        let context = sdk.createContext(visitorID: "v1")
        let small = try #require(context.explainGoal("big", options: ConversionOptions(ruleData: ["size": "small"])))
        #expect(small.outcome == .rulesNotMatched && small.rules?.verdict == .notMatched)
        #expect("\(small)".hasSuffix("- size (\"small\") equals \"big\""))
        let big = context.explainGoal("big", options: ConversionOptions(ruleData: ["size": "big"]))
        #expect(big?.outcome == .triggered && big?.rules?.verdict == .matched)
        #expect(context.explainGoal("nope")?.outcome == .unknownGoal)
        #expect(context.visitorData == VisitorState())
    }

    @Test func segmentsExplainThemselves() throws {
        let context = sdk.createContext(visitorID: "v1", attributes: ["bought": "no"])
        let out = try #require(context.explainSegments(["buyers", "nope"]))
        #expect(out.segments.map(\.key) == ["buyers"] && out.segments.map(\.isMember) == [false])
        let into = try #require(context.explainSegments(["buyers"], ruleData: ["bought": "yes"]))
        #expect(into.segments.first?.isMember == true && into.segments.first?.rules?.verdict == .matched)
        #expect("\(into)".contains("  + segment buyers\n"))
        #expect(context.visitorData == VisitorState())
    }
}
