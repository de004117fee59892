@testable import ConvertAnalysis
import ConvertTestSupport
import Foundation
import Testing

/// Counts against what each visitor's own config allocates.
struct RatioProcessTests {
    /// For one config it is the test on counts, whatever the order.
    @Test func oneConfigGivesTheMeanOfTheBayesFactors() throws {
        var random = SeededGenerator(seed: 3)
        for shares in [[0.5, 0.5], [0.7, 0.2, 0.1]] {
            let test = try #require(SampleRatioTest(shares: shares))
            var process = RatioProcess(arms: shares.count)
            var smallest = 1.0
            for _ in 0..<300 {
                let arm = random.happens(80) ? 0 : shares.count - 1
                process.add(arm, shares)
                let counts = process.observed.map { Int($0) }
                smallest = min(smallest, try #require(test.result(for: counts, isSequential: true)).p)
                #expect(abs(process.p - smallest) <= 1e-9 * smallest)
            }
            #expect(process.isMismatch)
        }
    }

    /// Medians that a simulation of 400 runs gave; a dead arm needs no chance.
    @Test func aDeadArmIsFoundAfterTwentyThreeVisitors() {
        var process = RatioProcess(arms: 2)
        var count = 0
        while !process.isMismatch, count < 1_000 {
            count += 1
            let isBreak = process.add(0, [0.5, 0.5]).isBreak
            #expect(isBreak == process.isMismatch)
        }
        #expect(count == 23)
    }

    /// A ramp from 10 % to 50 % and to 30 %, each with a config of its own: looked at after every visitor, at most one
    /// run of a thousand errs. `CONVERT_CASES=50` makes it ten thousand runs.
    @Test func changedAllocationsAreNoMismatch() {
        var random = SeededGenerator(seed: 8)
        var found = 0
        var pooled = 0
        let runs = caseCount(200, plain: 50)
        for _ in 0..<runs {
            var process = ReleaseRatioProcess(arms: 2, configs: 3)
            // As long as there is one config, a look is one at a test of that config alone.
            var first = ReleaseRatioProcess(arms: 2, configs: 1)
            for number in 0..<1_000 {
                let config = number < 300 ? 0 : number < 600 ? 1 : 2
                let share = [0.9, 0.5, 0.7][config]
                let arm = Double.random(in: 0..<1, using: &random) < share ? 0 : 1
                if config == 0 { _ = first.add(arm, [share, 1 - share], config: config) }
                _ = process.add(arm, [share, 1 - share], config: config)
            }
            if process.isMismatch || first.isMismatch { found += 1 }
            // Against today's shares alone all of history is a mismatch.
            let counts = process.whole.observed.map { Int($0) }
            if SampleRatioTest(shares: [0.3, 0.7])?.result(for: counts)?.isMismatch == true { pooled += 1 }
        }
        #expect(Double(found) <= max(2, 0.001 * Double(runs)), "\(found)")
        #expect(pooled == runs)
    }

    /// A release that comes after 20,000 healthy visitors and loses a fifth of the visitors of one variation.
    @Test func whatOneReleaseBreaksIsFoundAlmostAsSoonAsInATestOfItAlone() {
        var random = SeededGenerator(seed: 10)
        let shares = [0.5, 0.5]
        func median(_ counts: [Int]) -> Int { counts.sorted()[counts.count / 2] }
        var (together, whole, alone): ([Int], [Int], [Int]) = ([], [], [])
        for _ in 0..<caseCount(21, plain: 9) {
            var process = ReleaseRatioProcess(arms: 2, configs: 2)
            for number in 0..<20_000 { _ = process.add(number % 2, shares, config: 0) }
            var single = RatioProcess(arms: 2)
            var (first, second, third): (Int?, Int?, Int?) = (nil, nil, nil)
            var number = 0
            while first == nil || second == nil || third == nil, number < 60_000 {
                number += 1
                let arm = Double.random(in: 0..<1, using: &random) < 1 / 1.8 ? 0 : 1
                if process.add(arm, shares, config: 1) { first = number }
                if process.whole.isMismatch, second == nil { second = number }
                if single.add(arm, shares).isBreak { third = number }
            }
            together.append(first ?? number)
            whole.append(second ?? number)
            alone.append(third ?? number)
        }
        let text = "\(median(together)), whole \(median(whole)), alone \(median(alone))"
        #expect(median(together) < median(whole), "\(text)")
        #expect(Double(median(together)) < 1.5 * Double(median(alone)), "\(text)")
    }

    @Test func evidenceOfAConfigIsCorrectedForThoseBeforeIt() {
        var process = ReleaseRatioProcess(arms: 2, configs: 2)
        #expect((0..<3).map(process.correction) == [4, 12, 24])
        for number in 0..<40_000 { _ = process.add(number % 2, [0.5, 0.5], config: 0) }
        while !process.isMismatch, process.whole.count < 60_000 { _ = process.add(0, [0.5, 0.5], config: 1) }
        let broken = process.configs[1].process
        #expect(!process.whole.isMismatch && broken.isMismatch)
        // Whatever one config shows alone, the experience shows.
        #expect(process.p <= broken.p * process.correction(ofConfigAt: 1))
    }

    @Test func aSingleConfigLosesNothing() {
        var random = SeededGenerator(seed: 11)
        var process = ReleaseRatioProcess(arms: 2, configs: 1)
        #expect(process.correction(ofConfigAt: 0) == 1)
        for _ in 0..<500 { _ = process.add(random.happens(70) ? 0 : 1, [0.5, 0.5], config: 0) }
        #expect(process.isMismatch && process.p == process.whole.p && process.p == process.configs[0].process.p)
    }

    @Test func aLossUnderChangingAllocationsIsFound() {
        var random = SeededGenerator(seed: 9)
        var process = RatioProcess(arms: 2)
        for number in 0..<8_000 {
            let share = number < 700 ? 0.9 : number < 1_500 ? 0.5 : 0.7
            let lost = (1 - share) * 0.8
            let isFirst = Double.random(in: 0..<1, using: &random) < share / (share + lost)
            process.add(isFirst ? 0 : 1, [share, 1 - share])
        }
        #expect(process.isMismatch)
        let p = process.p
        for _ in 0..<1_000 { process.add(1, [0.5, 0.5]) }
        // What was found stays.
        #expect(process.p <= p)
    }

    @Test func theMeanOfFourPriorsFindsWhatOneDoesNot() throws {
        let test = try #require(SampleRatioTest(shares: [0.5, 0.5]))
        #expect(test.result(for: [300, 0], isSequential: true)?.isMismatch == true)
        #expect(test.result(for: [22, 0], isSequential: true)?.isMismatch == false)
        #expect(test.result(for: [23, 0], isSequential: true)?.isMismatch == true)
    }

    @Test func verdictsHaveThreeAnswers() throws {
        let test = try #require(SampleRatioTest(shares: [0.5, 0.5]))
        func verdict(_ counts: [Int], _ minDifference: Double? = nil) throws -> SampleRatioVerdict {
            let result = try #require(test.result(for: counts))
            return SampleRatioVerdict(
                result, counts: counts, shares: test.shares, minDifference: minDifference)
        }
        #expect(try verdict([5_012, 4_988]) == .agrees)
        #expect(try verdict([5_000, 5_250]) == .notEnoughEvidence)
        #expect(try verdict([5_300, 4_700]) == .mismatch)
        // A tenth of a point among a million visitors is beyond chance, and does not matter.
        #expect(try verdict([5_020_000, 4_980_000]) == .mismatch)
        #expect(try verdict([5_020_000, 4_980_000], 0.005) == .agrees)
        // So few visitors cannot tell half a point.
        #expect(try verdict([501, 499], 0.005) == .notEnoughEvidence)
        #expect(try verdict([5_300, 4_700], 0.005) == .mismatch)
    }
}
