import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

@testable import ConvertAnalysis

/// A log of more visitors than there is room for.
struct VisitorSampleTests {
    private static func difference(hashLimit: Int) throws -> ConfigDifference {
        let (old, new) = (
            try ProjectConfig(json: Configs.data(Configs.config())),
            try ProjectConfig(
                json: Configs.data(
                    Configs.config([
                        "experiences": [.object(Configs.experience("checkout", id: "10", ["variations": []]))]
                    ])))
        )
        let comparison = PopulationComparison(
            old: old, new: new, semantics: .standard, environment: "staging",
            difference: ConfigDiff().difference(from: old, to: new))
        var random = SeededGenerator(seed: 1)
        var tally = PopulationComparison.Tally(hashLimit: hashLimit)
        var before = PopulationComparison.Answers()
        before.variations = [0: "a"]
        for part in 0..<20 {
            var next = PopulationComparison.Tally()
            for place in 0..<500 {
                let answers = (part + place) % 2 == 0 ? before : PopulationComparison.Answers()
                let visitor = UInt64.random(in: 0...UInt64.max, using: &random)
                // Two lines of the visitor count once.
                for _ in 0..<2 { comparison.count(before, answers, visitor: visitor, &next) }
            }
            tally.add(next)
        }
        var difference = ConfigDiff().difference(from: old, to: new)
        tally.report(in: &difference)
        return difference
    }

    @Test func allVisitorsAreCountedWhereThereIsRoom() throws {
        let found = try Self.difference(hashLimit: 20_000)
        #expect(found.visitorCount == 10_000 && found.sampledOneIn == nil && found.samplingNote == nil)
        #expect(found.experiences[0].population?.moved == 5_000)
    }

    @Test func aSampleEstimatesTheNumbersOfTooManyVisitorsAndSaysSo() throws {
        let found = try Self.difference(hashLimit: 3_000)
        #expect(found.sampledOneIn == 8 && found.samplingNote?.contains("one in 8") == true)
        #expect(abs((found.visitorCount ?? 0) - 10_000) < 1_500)
        #expect(abs((found.experiences[0].population?.moved ?? 0) - 5_000) < 1_000)
        #expect(found.json.contains(#""sampledOneIn":8"#))
    }
}
