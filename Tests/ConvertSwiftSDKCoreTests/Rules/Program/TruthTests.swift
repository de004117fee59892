import Testing

@testable import ConvertSwiftSDKCore

struct TruthTests {
    /// Answers, and what they are plain and negated.
    static let answers: [(truth: Truth, plain: RuleVerdict, negated: RuleVerdict)] = [
        (Truth(true), .matched, .notMatched), (Truth(false), .notMatched, .matched),
        (.neither, .notMatched, .notMatched), (.abandoned, .notMatched, .notMatched),
        (.skipped, .notMatched, .notMatched),
        (.always(true), .matched, .matched), (.always(false), .notMatched, .notMatched),
        (.malformed, .malformed, .malformed), (.needMoreData, .needMoreData, .needMoreData),
        (.noDataFound, .noDataFound, .noDataFound),
    ]

    @Test(arguments: answers) func negationChoosesBetweenTwoAnswers(
        truth: Truth, plain: RuleVerdict, negated: RuleVerdict
    ) {
        #expect(truth.verdict(negated: false) == plain)
        #expect(truth.verdict(negated: true) == negated)
        #expect(truth.holds(negated: false) == plain.isMatch)
        #expect(truth.holds(negated: true) == negated.isMatch)
        #expect(truth.isKnown)
    }

    @Test func aComparisonThatWasGivenUpIsAbandoned() {
        #expect(Self.answers.filter(\.truth.isAbandoned).map(\.truth) == [.abandoned, .skipped])
    }

    @Test func aComparisonThatWasNotMadeIsUnknown() {
        #expect(!Truth.unknown.isKnown)
        #expect(!Truth.unknown.holds(negated: false) && !Truth.unknown.holds(negated: true))
    }
}
