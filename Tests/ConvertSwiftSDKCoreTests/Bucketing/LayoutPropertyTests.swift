import ConvertECMAScript
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDKCore

struct LayoutPropertyTests {
    /// Whole percentages of up to five arms, of 100 in total at most.
    private func allocations(_ random: inout SeededGenerator) -> [Int] {
        var left = 100
        return (0..<random.int(1...5)).map { _ in
            let allocation = random.int(0...left)
            left -= allocation
            return allocation
        }
    }

    private func layout(_ version: JSValue, _ allocations: [Int], stopped: Int? = nil) throws -> BucketLayout {
        let arms = allocations.enumerated().map { index, allocation in
            variation(.string("v\(index)"), .integer(allocation), status: index == stopped ? "stopped" : "running")
        }
        let experience = try ProjectConfig.Experience(version: version, arms)
        return BucketLayout(variations: experience.variations, version: experience.version)
    }

    @Test func packedRangesTileWhatTheAllocationsSumUpTo() throws {
        for seed in 0..<300 {
            var random = SeededGenerator(seed: seed)
            let allocations = allocations(&random)
            let ranges = try layout(8, allocations).ranges
            #expect(ranges.last?.end ?? 0 == Double(allocations.reduce(0, +) * 100), "seed \(seed)")
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.end == $1.start }, "seed \(seed)")
        }
    }

    @Test func everyArmIsAsWideAsItsAllocation() throws {
        for seed in 0..<60 {
            var random = SeededGenerator(seed: seed)
            let allocations = allocations(&random)
            for version in [8, 12] as [JSValue] {
                let layout = try layout(version, allocations)
                var counts = [Int](repeating: 0, count: allocations.count)
                for value in 0..<10_000 { if let arm = layout.variation(for: Double(value)) { counts[arm] += 1 } }
                // An anchor that is no whole number may cut one value off.
                for (count, allocation) in zip(counts, allocations) {
                    #expect(abs(count - allocation * 100) <= (version == 8 ? 0 : 1), "seed \(seed)")
                }
            }
        }
    }

    @Test func raisingAnchoredAllocationsInProportionNeverMovesABucketedVisitor() throws {
        for seed in 0..<120 {
            var random = SeededGenerator(seed: seed)
            let allocations = (0..<random.int(1...5)).map { _ in random.int(0...8) }
            let factor = random.int(1...2)
            let before = try layout(12, allocations)
            let after = try layout(12, allocations.map { $0 * factor })
            // An expectation for each of the values would take most of the time.
            let moved = stride(from: 0.0, to: 10_000, by: 7).filter { value in
                guard let arm = before.variation(for: value) else { return false }
                return after.variation(for: value) != arm
            }
            #expect(moved == [], "seed \(seed)")
        }
    }

    @Test func stoppingAnotherAnchoredArmNeverMovesABucketedVisitor() throws {
        for seed in 0..<120 {
            var random = SeededGenerator(seed: seed)
            let allocations = allocations(&random)
            let stopped = random.int(0...allocations.count - 1)
            let before = try layout(12, allocations)
            let after = try layout(12, allocations, stopped: stopped)
            let moved = stride(from: 0.0, to: 10_000, by: 7).filter { value in
                let arm = before.variation(for: value)
                return after.variation(for: value) != (arm == stopped ? nil : arm)
            }
            #expect(moved == [], "seed \(seed)")
        }
    }

    @Test func stoppingAPackedArmDoesMoveVisitors() throws {
        let before = try layout(8, [50, 50])
        let after = try layout(8, [50, 50], stopped: 0)
        #expect(before.variation(for: 0) == 0)
        #expect(after.variation(for: 0) == 1)
    }

    @Test func decisionsGiveWhatTheLayoutSays() throws {
        let variations = [variation("a", 30), variation("b", 30)]
        let layout = BucketLayout(
            variations: try ProjectConfig.Experience(version: 12, variations).variations, version: 12)
        let manager = try ExperienceManager([
            "experiences": [experience("e", ["version": 12, "variations": .array(variations)])]
        ])
        for visitor in 0..<300 {
            let id = "visitor-\(visitor)"
            var visitor = manager.visitor(id: id)
            let value = BucketingManager().bucketValue(visitorID: id, experienceID: "id-e")
            let expected = layout.variation(for: Double(value)).map { ["a", "b"][$0] }
            let decision = manager.selectVariation("e", for: &visitor, options: .located())
            #expect(decision.variation?.variationID == expected)
        }
    }
}
