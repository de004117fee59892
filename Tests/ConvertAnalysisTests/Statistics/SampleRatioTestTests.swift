import ConvertAnalysis
import ConvertTestSupport
import Foundation
import Testing

struct SampleRatioTestTests {
    private func areClose(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-10 * max(abs(left), abs(right))
    }

    @Test func pearsonsTestAgreesWithSciPyToTenDigits() throws {
        for row in SciPyAnswers.pearson {
            let result = try #require(SampleRatioTest(shares: row.shares)?.result(for: row.counts))
            #expect(result.method == .pearson)
            #expect(result.degreesOfFreedom == row.shares.count - 1)
            #expect(areClose(result.chiSquare, row.chiSquare), "\(row)")
            #expect(areClose(result.p, row.p), "\(row): \(result.p)")
        }
    }

    @Test func tailsAgreeWithSciPyToTenDigits() {
        for row in SciPyAnswers.tails {
            let p = SampleRatioTest.chiSquareTail(row.value, degreesOfFreedom: row.degreesOfFreedom)
            #expect(areClose(p, row.p), "\(row): \(p)")
        }
    }

    @Test func smallCountsAreTestedExactly() throws {
        for row in SciPyAnswers.exact {
            let result = try #require(SampleRatioTest(shares: row.shares)?.result(for: row.counts))
            #expect(result.method == .exact)
            #expect(areClose(result.p, row.p), "\(row): \(result.p)")
        }
    }

    /// However many arms, and however few visitors, whom one could deal among all of them.
    @Test(arguments: [
        (100, SampleRatioTest.Method.exact), (101, .pearson), (inputSize(500_000, plain: 50_000), .pearson),
    ])
    func manyArmsDoNotUseTheExactTest(arms: Int, method: SampleRatioTest.Method) throws {
        let test = try #require(SampleRatioTest(shares: Array(repeating: 1, count: arms)))
        let result = try #require(test.result(for: [1] + Array(repeating: 0, count: arms - 1)))
        #expect(result.method == method)
    }

    /// χ² of single arms that expect less than a visitor would call any count a mismatch.
    @Test func armsThatExpectFewVisitorsAreTestedTogether() throws {
        let test = try #require(SampleRatioTest(shares: Array(repeating: 1, count: 200)))
        var counts = Array(repeating: 0, count: 200)
        counts[0] = 2
        let few = try #require(test.result(for: counts))
        #expect(few.p == 1 && few.degreesOfFreedom == 0)
        // 20 groups of 10 arms expect 5 visitors each.
        for arm in 0..<100 { counts[arm] = 1 }
        counts[0] = 1
        let half = try #require(test.result(for: counts))
        #expect(half.method == .pearson && half.degreesOfFreedom < 30 && half.isMismatch)
    }

    @Test func countsThatAreNoneHaveNoAnswer() throws {
        let test = try #require(SampleRatioTest(shares: [1, 1]))
        #expect(test.result(for: [0, 0]) == nil)
        #expect(test.result(for: [1]) == nil)
        #expect(test.result(for: [1, -1]) == nil)
        #expect(SampleRatioTest(shares: [0, 0]) == nil)
        #expect(SampleRatioTest(shares: [1, -1]) == nil)
        #expect(SampleRatioTest(shares: []) == nil)
        #expect(SampleRatioTest(shares: [.infinity, 1]) == nil)
        #expect(SampleRatioTest(shares: [.nan, 1]) == nil)
    }

    @Test(arguments: [false, true])
    func aCountForAnArmWithoutVisitorsIsAMismatch(isSequential: Bool) throws {
        let test = try #require(SampleRatioTest(shares: [1, 1, 0]))
        let result = try #require(test.result(for: [500, 500, 1], isSequential: isSequential))
        #expect(result.p == 0 && result.isMismatch && result.chiSquare == .infinity)
        let fine = try #require(test.result(for: [500, 500, 0], isSequential: isSequential))
        #expect(fine.p == 1 && fine.degreesOfFreedom == 1)
    }

    @Test func aSingleArmNeverMismatches() throws {
        let test = try #require(SampleRatioTest(shares: [7]))
        #expect(test.result(for: [3])?.p == 1)
        #expect(test.result(for: [30_000])?.p == 1)
    }

    /// Of tests on sound counts at most α say otherwise, up to three standard deviations of that share.
    @Test(arguments: [[0.5, 0.5], [0.6, 0.3, 0.1]])
    func soundCountsSeldomMismatch(shares: [Double]) throws {
        let test = try #require(SampleRatioTest(shares: shares))
        var random = SeededGenerator(seed: 4)
        var below = [0.05: 0, 0.001: 0]
        let runs = caseCount(2_000, plain: 600)
        // Counts are whole: of 500 visitors in two arms 5.4 % lie below 0.05, of 501 fewer.
        for _ in 0..<runs {
            let p = try #require(test.result(for: random.counts(of: 501, shares))).p
            for level in below.keys where p < level { below[level, default: 0] += 1 }
        }
        for (level, count) in below {
            let mean = Double(runs) * level
            #expect(Double(count) <= mean + 3 * (mean * (1 - level)).squareRoot(), "level \(level): \(count)")
        }
    }

    /// Half a point of skew among 100,000 visitors moves the first count by 500, which is 3.16 standard deviations of
    /// it; the two-sided test at 0.001 asks for 3.29, so it finds 45 % of such experiments.
    @Test func aSkewOfHalfAPointIsFoundAsOftenAsTheoryHasIt() throws {
        let test = try #require(SampleRatioTest(shares: [0.5, 0.5]))
        var random = SeededGenerator(seed: 5)
        var found = 0
        let runs = caseCount(500)
        for _ in 0..<runs where try #require(test.result(for: random.normalCounts(of: 100_000, 0.505))).isMismatch {
            found += 1
        }
        let tolerance = 4 * (0.45 * 0.55 / Double(runs)).squareRoot()
        #expect(abs(Double(found) / Double(runs) - 0.45) < tolerance, "\(found) of \(runs)")
    }

    /// Looking after every batch of visitors, the sequential test errs at most once in a thousand runs, where Pearson's
    /// errs far more often.
    @Test func lookingAgainAndAgainDoesNotMakeTheSequentialTestErr() throws {
        let test = try #require(SampleRatioTest(shares: [0.5, 0.5]))
        var random = SeededGenerator(seed: 6)
        var sequential = 0
        var pearson = 0
        // Ten thousand with CONVERT_CASES=5.
        let runs = caseCount(2_000, plain: 600)
        for _ in 0..<runs {
            var counts = [0, 0]
            var isFound = (sequential: false, pearson: false)
            for _ in 0..<20 {
                let batch = random.normalCounts(of: 5000, 0.5)
                counts = [counts[0] + batch[0], counts[1] + batch[1]]
                if test.result(for: counts, isSequential: true)?.isMismatch == true { isFound.sequential = true }
                if test.result(for: counts)?.isMismatch == true { isFound.pearson = true }
            }
            sequential += isFound.sequential ? 1 : 0
            pearson += isFound.pearson ? 1 : 0
        }
        let limit = SampleRatioTest.threshold * Double(runs)
        #expect(Double(sequential) <= limit, "\(sequential)")
        #expect(Double(pearson) > 3 * limit, "\(pearson)")
    }

    @Test func theSequentialTestFindsALastingSkew() throws {
        let test = try #require(SampleRatioTest(shares: [0.5, 0.5]))
        #expect(test.result(for: [502_500, 497_500], isSequential: true)?.isMismatch == true)
        #expect(test.result(for: [500_300, 499_700], isSequential: true)?.isMismatch == false)
    }
}

extension SeededGenerator {
    /// How `total` visitors fall among arms with these shares.
    fileprivate mutating func counts(of total: Int, _ shares: [Double]) -> [Int] {
        var counts = shares.map { _ in 0 }
        for _ in 0..<total {
            var value = Double.random(in: 0..<1, using: &self)
            var arm = 0
            while arm < shares.count - 1, value >= shares[arm] {
                value -= shares[arm]
                arm += 1
            }
            counts[arm] += 1
        }
        return counts
    }

    /// As ``counts(of:_:)`` for two arms, by the normal approximation, which is close for many visitors.
    fileprivate mutating func normalCounts(of total: Int, _ share: Double) -> [Int] {
        // Box and Muller's transform.
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
        let normal = radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &self))
        let first = Int((Double(total) * share + normal * (Double(total) * share * (1 - share)).squareRoot()).rounded())
        return [first, total - first]
    }
}
