import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

@testable import ConvertAnalysis

struct ConditionMeaningTests {
    /// Random conditions that are spelled otherwise, on all values that conditions tell apart.
    @Test(arguments: RuleSemantics.allCases)
    func conditionsOfOneMeaningAnswerAlike(semantics: RuleSemantics) {
        var random = SeededGenerator(seed: 5)
        var known: [ConditionMeaning: ConditionDomain] = [:]
        var pairCount = 0
        for _ in 0..<caseCount(600, plain: 200) {
            let condition = RandomConditions.condition(&random, semantics: semantics)
            guard let meaning = ConditionMeaning(condition, under: semantics) else { continue }
            let domain = ConditionDomain(condition, semantics: semantics)
            guard let other = known[meaning] else {
                known[meaning] = domain
                continue
            }
            if other.condition.matchType == condition.matchType, other.condition.value == condition.value { continue }
            pairCount += 1
            for value in RandomConditions.values {
                if meaning.isOfScalars, value?.arrayValue != nil || value?.objectValue != nil { continue }
                #expect(
                    domain.holds(for: value) == other.holds(for: value),
                    "\(condition) and \(other.condition) on \(String(describing: value))")
            }
        }
        #expect(pairCount >= 10)
    }
}
