import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Allocations that grow, so that visitors who came before without a variation get one.
struct RampsTests {
    private static func config(
        _ first: JSValue, _ second: JSValue, version: JSValue = 10, _ changes: JSObject = [:]
    ) -> JSObject {
        var members = changes
        members["version"] = version
        members["variations"] = [
            .object(Configs.variation("1", "off", first)), .object(Configs.variation("2", "on", second)),
        ]
        return Configs.config(["experiences": [.object(Configs.experience("a", id: "10", members))]])
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func aRampWhoseFreeBucketValuesBelongToOneVariationBreaksTheRatio() throws {
        let difference = try Self.difference(Self.config(30, 30), Self.config(50, 50))
        let found = difference.experiences[0]
        #expect(found.disturbance == .sampleRatio)
        #expect(found.newlyAssigned.map(\.share) == [0, 1] && found.newlyAssigned.map(\.allocated) == [0.5, 0.5])
        #expect(
            difference.headline.contains(
                "Expect the sample ratio to break in a among visitors who came before and got no variation: "))
        #expect(difference.json.contains(#""newlyAssigned":[{"variation":"off","share":0,"allocated":0.5}"#))
    }

    /// Version 12 gives each variation a part of the bucket values, and allocates within it.
    @Test func aRampThatDividesFreeBucketValuesAsItAllocatesBreaksNoRatio() throws {
        let found = try Self.difference(Self.config(30, 30, version: 12), Self.config(50, 50, version: 12))
        #expect(found.experiences[0].newlyAssigned.isEmpty && found.experiences[0].disturbance == .population)
    }

    @Test func anAllocationThatShrinksAssignsNoVisitor() throws {
        let found = try Self.difference(Self.config(50, 50), Self.config(20, 20)).experiences[0]
        #expect(found.newlyAssigned.isEmpty && found.disturbance == .population)
    }

    @Test func otherSharesBreakTheRatioOfAllVisitors() throws {
        let difference = try Self.difference(Self.config(30, 30), Self.config(70, 30))
        #expect(difference.experiences[0].disturbance == .sampleRatio)
        #expect(difference.experiences[0].newlyAssigned.isEmpty)
        #expect(difference.headline.contains("break in a: count only visitors who come after the release"))
    }

    /// Visitors come once with each config; their decisions are stored.
    @Test(arguments: [(30, 50, 10), (5, 50, 10), (30, 50, 12), (50, 20, 10)])
    func theRatioBreaksAmongTheVisitorsOfWhomItIsSaid(before: Int, after: Int, version: Int) throws {
        let configs = [before, after].map {
            Self.config(.integer($0), .integer($0), version: .integer(version))
        }
        let managers = try configs.map {
            ExperienceManager(project: Project(try ProjectConfig(json: Configs.data($0))))
        }
        var counts: [String: Int] = [:]
        for number in 0..<2_000 {
            var first = managers[0].visitor(id: "v\(number)")
            if managers[0].selectVariation("a", for: &first).value.variation != nil { continue }
            var second = managers[1].visitor(id: "v\(number)", state: first.state)
            guard let variation = managers[1].selectVariation("a", for: &second).value.variation else { continue }
            counts[variation.variationKey ?? "", default: 0] += 1
        }
        let found = try Self.difference(configs[0], configs[1]).experiences[0]
        let total = counts.values.reduce(0, +)
        for assignment in found.newlyAssigned {
            let share = Double(counts[assignment.variation] ?? 0) / Double(total)
            #expect(abs(share - assignment.share) < 0.06)
        }
        if found.newlyAssigned.isEmpty, total > 0 {
            #expect(abs(Double(counts["on"] ?? 0) / Double(total) - 0.5) < 0.06)
        }
    }
}
