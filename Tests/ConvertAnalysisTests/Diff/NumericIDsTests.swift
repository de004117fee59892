import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Variations whose ids are numbers, which the reference does not find again.
struct NumericIDsTests {
    private static func config(_ ids: JSValue..., version: JSValue = 10) -> JSObject {
        let variations = ids.enumerated().map { index, id in
            JSValue.object(Configs.variation("", "v\(index)", .number(100 / Double(ids.count)), ["id": id]))
        }
        return Configs.config([
            "experiences": [
                .object(
                    Configs.experience("checkout", id: "10", ["variations": .array(variations), "version": version]))
            ]
        ])
    }

    private static func manager(_ config: JSObject, _ semantics: RuleSemantics) throws -> ExperienceManager {
        let model = try ProjectConfig(json: Configs.data(config))
        return ExperienceManager(project: Project(model, options: CompilationOptions(semantics: semantics)))
    }

    private static let pairs: [(old: JSObject, new: JSObject)] = [
        (config("1", "2"), config(1, "2")), (config(1, "2"), config("1", "2")), (config(1, 2), config("1", 2)),
        (config(1, 2, version: 12), config("1", "2", version: 12)), (config(0, "2", version: 12), config("0", "2")),
        (config("1", "2"), config("1", "1")), (config("1", "1"), config("1", "2")),
        (config(true, "2"), config("true", "2")),
    ]

    /// Shares, for visitors of the engine.
    @Test(arguments: RuleSemantics.allCases)
    func sharesAreThoseOfTheEngine(semantics: RuleSemantics) throws {
        for (place, pair) in Self.pairs.enumerated() {
            let difference = try ConfigDiff(semantics: semantics)
                .difference(from: Configs.data(pair.old), to: Configs.data(pair.new)).experiences[0]
            let managers = try [pair.old, pair.new].map { try Self.manager($0, semantics) }
            var options = DecisionOptions()
            options.locationProperties = JSObject()
            var moved = 0, stored = 0, storedMoved = 0
            let count = 1_000
            for number in 0..<count {
                var first = managers[0].visitor(id: "v\(number)")
                let before = managers[0].selectVariation("checkout", for: &first, options: options).value.variation?
                    .variationKey
                var second = managers[1].visitor(id: "v\(number)")
                if managers[1].selectVariation("checkout", for: &second, options: options).value.variation?.variationKey
                    != before
                {
                    moved += 1
                }
                guard first.state.bucketing?["10"]?.isTruthy == true else { continue }
                stored += 1
                var third = managers[1].visitor(id: "v\(number)", state: first.state)
                if managers[1].selectVariation("checkout", for: &third, options: options).value.variation?.variationKey
                    != before
                {
                    storedMoved += 1
                }
            }
            #expect(abs(Double(moved) / Double(count) - difference.moved) < 0.07, "pair \(place)")
            let share = stored == 0 ? 0 : Double(storedMoved) / Double(stored)
            #expect(abs(share - difference.storedMoved) < 0.07, "pair \(place): \(share), \(difference.storedMoved)")
        }
    }

    @Test func lintFindsVariationsThatNoVisitorGets() throws {
        func unreachable(_ config: JSObject, _ semantics: RuleSemantics) throws -> [String] {
            try ConfigLint(semantics: semantics).findings(in: Configs.data(config))
                .filter { $0.code == .variationUnreachable }.map(\.path)
        }
        let first = "$.experiences[0].variations[0]", second = "$.experiences[0].variations[1]"
        #expect(try unreachable(Self.config(1, "2"), .javaScript) == [first])
        #expect(try unreachable(Self.config(1, 2), .javaScript) == [first, second])
        #expect(try unreachable(Self.config(1, "2"), .standard).isEmpty)
        #expect(try unreachable(Self.config("1", 1), .standard) == [second])
        #expect(try unreachable(Self.config(1, "1"), .javaScript) == [first])
    }

    @Test func sharesOfVisitorsAreThoseOfTheProfile() throws {
        let model = try ProjectConfig(json: Configs.data(Self.config(1, "2"))).experiences[0]
        #expect(BucketShares(of: model, semantics: .javaScript).arms.map(\.share) == [0, 0.5])
        #expect(BucketShares(of: model, semantics: .standard).arms.map(\.share) == [0.5, 0.5])
    }
}
