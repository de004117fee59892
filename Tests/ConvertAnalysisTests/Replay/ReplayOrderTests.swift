import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// In which order a line's experiences are decided again: an experience keeps out the visitors of one that is decided
/// before it.
struct ReplayOrderTests {
    private static func config(_ order: [String], malformed: Bool = false) throws -> DecisionReplay.Candidate {
        let question = Configs.leaf("x", "equals", "one", negated: true, type: "bucketed_into_experience_key")
        let experiences = [
            "one": Configs.experience("one", id: "1"), "two": Configs.experience("two", id: "2", ["audiences": ["5"]]),
            "broken": Configs.experience("broken", id: "3", ["audiences": ["6"]]),
        ]
        let config = Configs.config([
            "audiences": [
                Configs.audience("5", Configs.all(question)), Configs.audience("6", Configs.rules([[[.null]]])),
            ],
            "experiences": .array(order.compactMap { experiences[$0].map(JSValue.object) }),
        ])
        return try DecisionReplay.Candidate(json: Configs.data(config))
    }

    private static func log(
        _ candidate: DecisionReplay.Candidate, keys: [String] = [], semantics: RuleSemantics = .standard
    ) throws -> String {
        var options = PopulationAssignment.Options()
        options.repeatsVisitors = true
        options.experienceKeys = keys
        options.semantics = semantics
        options.environment = "production"
        options.configRevision = candidate.revision
        return try PopulationAssignment(candidate.config, options: options)
            .line(for: PopulationVisitor(visitorID: "v-1", locationProperties: [:]))
    }

    private static func differences(
        _ line: String, _ candidates: DecisionReplay.Candidate...
    ) throws -> [DecisionReplay.Difference] {
        let logged = try Array(line.utf8).withElements { try LoggedDecisions(json: $0) }
        return try DecisionReplay(candidates).differences(from: logged)
    }

    @Test func anotherOrderOfExclusionsIsSeenInALogOfAssign() throws {
        let old = try Self.config(["one", "two"]), new = try Self.config(["two", "one"])
        let line = try Self.log(old)
        #expect(try Self.differences(line, old).isEmpty)
        let found = try Self.differences(line, new)
        #expect(found.map(\.subject) == [.experience("two")])
        #expect(found.first?.logged == .null && found.first?.reason == "bucketed")
        // Among several configs the line finds its own.
        #expect(try Self.differences(line, new, old).isEmpty)
    }

    @Test(arguments: [#""call":{"all":true}"#, #""call":{"each":true}"#])
    func aCallForAllIsDecidedInTheOrderOfTheConfig(call: String) throws {
        let answers = #""decisions":{"one":"a","two":null}"#
        let value = #""buckets":{"one":100,"two":100}"#
        let new = try Self.config(["two", "one"])
        for line in [#"{"visitorId":"p",\#(value),\#(call),\#(answers)}"#, try Self.log(Self.config(["one", "two"]))] {
            #expect(try Self.differences(line, new).map(\.subject) == [.experience("two")])
        }
    }

    @Test func experiencesThatWereAskedForByNameKeepTheirOrder() throws {
        let old = try Self.config(["one", "two"]), new = try Self.config(["two", "one"])
        for keys in [["one", "two"], ["two", "one"]] {
            let line = try Self.log(old, keys: keys)
            #expect(!line.contains(#""call""#))
            #expect(try Self.differences(line, old).isEmpty && Self.differences(line, new).isEmpty)
        }
        // A line that does not say what was asked is one of experiences by name.
        let line = #"{"visitorId":"p","buckets":{"one":100,"two":100},"decisions":{"one":"a","two":null}}"#
        #expect(try Self.differences(line, new).isEmpty)
    }

    @Test func aLogOfAssignSaysHowItWasDecided() throws {
        let candidate = try Self.config(["one", "two"])
        let digest = try #require(candidate.revision)
        let line = try Self.log(candidate, semantics: .javaScript)
        #expect(
            line.hasPrefix(
                #"{"visitorId":"v-1","locationProperties":{},"config":"\#(digest)","options":{"semantics":"javaScript"},"environment":"production","#
                    + #""call":{"each":true},"decisions":{"one":"#))
    }

    /// A call for all ends where the reference throws; a line of assign has an answer for those behind.
    @Test(arguments: RuleSemantics.allCases)
    func experiencesBehindOneOnWhichTheReferenceThrowsAreDecided(semantics: RuleSemantics) throws {
        let old = try Self.config(["broken", "one", "two"])
        let line = try Self.log(old, semantics: semantics)
        #expect(!line.contains(#""one":null"#))
        #expect(try Self.differences(line, old).isEmpty)
        let more = try Self.config(["one", "broken", "two"])
        #expect(try Self.differences(line, more).isEmpty)
    }
}
