@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Exceptions that leave out no finding.
struct UnusedExceptionsTests {
    /// A config with a pattern that is no valid syntax, in the audience `audience-5`.
    private static let config = Configs.audienceConfig(Configs.all(Configs.leaf("p", "regexMatches", "(bad[")))

    private func notes(_ exceptions: LintExceptions, _ config: JSObject = config) throws -> [LintFinding] {
        let found = try ConfigLint(exceptions: exceptions).findings(in: Configs.data(config))
        return found.filter { $0.code == .unusedException }
    }

    private func notes(_ code: LintCode, at place: String? = nil) throws -> [LintFinding] {
        var exceptions = LintExceptions()
        exceptions.ignore(code, at: place)
        return try notes(exceptions)
    }

    @Test func anExceptionThatLeavesOutAFindingIsNotNoted() throws {
        for place in [
            nil, "$", "$.audiences['audience-5']", "$.audiences[0]", "$.audiences[0].rules.OR[0]",
            "$.audiences['audience-5'].rules.OR[0].AND[0].OR_WHEN[0].value",
        ] {
            #expect(try notes(.invalidPattern, at: place).isEmpty, "\(place ?? "")")
        }
    }

    @Test func anExceptionWithoutAFindingIsANote() throws {
        let everywhere = try #require(try notes(.caseVariants).first)
        #expect(everywhere.severity == .note && everywhere.path == "$")
        #expect(
            everywhere.message
                == "The exception for 'case-variants' leaves out nothing: the config has no such finding.")
        let placed = try #require(try notes(.caseVariants, at: "$.audiences['audience-5'].rules").first)
        #expect(placed.path == "$.audiences[0].rules" && placed.place == "$.audiences['audience-5'].rules")
        #expect(placed.entity == "audience 'audience-5'" && placed.remedy == "Remove the exception.")
    }

    @Test(arguments: [
        "$.audiences['zzz']", "$.audiences[7]", "$.audiences[0].rules.OR[4]", "$.nothing.there", "audience-5", "",
        "$.audiences['audience-5'].rules.OR.x", "$.audiences['audience-5",
    ])
    func aPlaceThatDoesNotExistIsANote(place: String) throws {
        let found = try notes(.invalidPattern, at: place)
        #expect(found.count == 1 && found[0].message.contains("the config has no place '\(place)'"))
    }

    @Test func theNearestPlaceIsNamed() throws {
        let found = try notes(.invalidPattern, at: "$.audiences['audience-6'].rules").first
        #expect(
            found?.remedy
                == "Did you mean \"$.audiences['audience-5'].rules\"? Correct the place, or remove the exception.")
        #expect(try notes(.invalidPattern, at: "$.audiences['zzz']").first?.remedy.hasPrefix("Correct") == true)
    }

    @Test func findingsThatABaselineHasInVainAreOneNote() throws {
        let report = try JSValue(json: Data(try ConfigLint().findings(in: Configs.data(Self.config)).json.utf8))
        let count = try #require(report.objectValue?["findings"]?.arrayValue?.count)
        var exceptions = LintExceptions()
        let isReport = exceptions.ignoreAll(in: report)
        #expect(isReport && count > 1)
        #expect(try notes(exceptions).isEmpty)
        let sound = Configs.audienceConfig(Configs.all(Configs.leaf("p", "equals", "a")))
        let found = try notes(exceptions, sound)
        #expect(found.count == 1 && found[0].message.hasPrefix("The baseline has \(count) findings that the config no"))
        // A finding that is ignored twice is not missing.
        exceptions.ignore(.invalidPattern)
        #expect(try notes(exceptions).isEmpty)
    }

    /// A baseline that was written with an exception too many.
    @Test func aNoteInABaselineIsNoFinding() throws {
        var exceptions = LintExceptions()
        exceptions.ignore(.caseVariants)
        let data = Configs.data(Configs.config())
        let report = try ConfigLint(exceptions: exceptions).findings(in: data).json
        var known = LintExceptions()
        let isReport = known.ignoreAll(in: try JSValue(json: Data(report.utf8)))
        #expect(isReport)
        #expect(try ConfigLint(exceptions: known).findings(in: data).isEmpty)
    }

    @Test func theNotesAreIgnoredLikeOthers() throws {
        var exceptions = LintExceptions()
        exceptions.ignore(.caseVariants)
        exceptions.ignore(.unusedException)
        #expect(try notes(exceptions).isEmpty)
        #expect(try notes(.unusedException).isEmpty)
    }
}
