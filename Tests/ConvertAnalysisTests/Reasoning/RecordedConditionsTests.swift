@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// What the questions to a config know of conditions, against the recorded answers of the reference.
struct RecordedConditionsTests {
    private static func cases(_ file: String) throws -> [JSObject] {
        let data = try Data(contentsOf: PopulationAssignmentTests.url(file))
        let cases = try JSValue(json: data).objectValue?["cases"]?.arrayValue ?? []
        return cases.compactMap(\.objectValue).filter {
            !ECMAScript.jsonText(of: .object($0)).contains("$number")
        }
    }

    @Test func conditionsAnswerAsRecorded() throws {
        var counts = (texts: 0, numbers: 0, unknown: 0, otherwise: 0)
        for recorded in try Self.cases("comparisons/comparisons.json") {
            guard let expected = recorded["expect"]?.boolValue, let operation = recorded["op"]?.stringValue,
                let value = recorded["value"]
            else { continue }
            let condition = RuleCondition(
                key: "x", matchType: operation, value: recorded["against"],
                negation: recorded["negated"]?.isTruthy ?? false)
            let domain = ConditionDomain(condition, semantics: .javaScript)
            // Evaluation ends before the comparator where the reference throws, and where nothing is given.
            guard domain.constant == nil, domain.holds(for: value) == expected else {
                counts.otherwise += 1
                continue
            }
            switch value {
            case .string(let text):
                let units = domain.text.readsLowerCase ? ECMAScript.toLowerCase(text) : text
                let truth = domain.text.truth(at: units.utf16.reduce(0) { domain.text.next($0, $1) })
                if truth == .unknown { counts.unknown += 1 } else { counts.texts += 1 }
                #expect(truth == .unknown || truth == Truth(expected), "\(recorded)")
            case .integer, .number:
                guard let number = value.numberValue, number.isFinite else { continue }
                if let numbers = domain.numbers {
                    counts.numbers += 1
                    #expect(numbers.contains(number) == expected, "\(recorded)")
                } else if let machine = domain.numberText {
                    let text = ECMAScript.toLowerCase(ECMAScript.toString(number))
                    let truth = machine.truth(at: text.utf16.reduce(0) { machine.next($0, $1) })
                    counts.numbers += 1
                    #expect(truth == .unknown || truth == Truth(expected), "\(recorded)")
                }
            default: continue
            }
        }
        #expect(counts.texts > 700 && counts.numbers > 80 && counts.unknown < 150 && counts.otherwise < 50, "\(counts)")
    }

    /// A fourth of the graphs; all with CONVERT_CASES=4.
    @Test func noGraphIsImpossibleThatWasRecordedToMatchOrNotToMatch() throws {
        var counts = (found: 0, undecided: 0)
        for (index, recorded) in try Self.cases("rules/rules.json").enumerated() where index % 4 < caseCount(1) {
            guard let expected = recorded["expect"]?.boolValue, let rules = recorded["rules"],
                recorded["data"]?.objectValue != nil, recorded["keysCaseSensitive"] == nil
            else { continue }
            let groups = RuleAdapter(semantics: .javaScript).flatten(RuleTree(rules))
            let pool = ConditionPool(semantics: .javaScript, budget: AnalysisBudget(RandomConditions.limits))
            let formula = pool.formula(of: groups, .visitor)
            switch VisitorSearch(pool).run([expected ? formula : formula.negated]) {
            case .impossible: Issue.record("\(recorded["name"] ?? .null): \(recorded)")
            case .found(let model):
                counts.found += 1
                #expect(TriedRules(groups, .javaScript).areMet(by: model.attributes) == expected)
            case .undecided: counts.undecided += 1
            }
        }
        #expect(counts.found > 150 && counts.undecided < counts.found / 4, "\(counts)")
    }
}
