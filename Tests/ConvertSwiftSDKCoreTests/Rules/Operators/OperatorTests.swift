import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Each operator on an attribute that is absent, `null` or empty text, plain and negated.
struct OperatorTests {
    /// A condition and what it gives, plain and negated.
    struct Row: Sendable {
        let matchType: String
        let value: JSValue?
        /// On `null`.
        private let null: Answers
        /// On `""`.
        private let empty: Answers
        /// On both under `.flat`, where that differs.
        private let flat: Answers?
        /// Without the attribute, under `.javaScript`, `.standard` and `.flat`.
        private let absent: [Answers]

        init(_ matchType: String, _ value: JSValue?, null: Answers, empty: Answers, absentFlat: Answers) {
            self.init(matchType, value, null: null, empty: empty, absent: [.never, .never, absentFlat])
        }

        init(
            _ matchType: String, _ value: JSValue?, null: Answers, empty: Answers, absent: [Answers],
            flat: Answers? = nil
        ) {
            (self.matchType, self.value, self.null, self.empty, self.absent) = (matchType, value, null, empty, absent)
            self.flat = flat
        }

        /// A row whose answers under `.flat` are alike on `null`, on empty text and without the attribute.
        init(_ matchType: String, _ value: JSValue?, null: Answers, empty: Answers, flat: Answers) {
            self.init(matchType, value, null: null, empty: empty, absent: [.never, .never, flat], flat: flat)
        }

        func null(_ semantics: RuleSemantics) -> Answers { semantics == .flat ? flat ?? null : null }

        func empty(_ semantics: RuleSemantics) -> Answers { semantics == .flat ? flat ?? empty : empty }

        func absent(_ semantics: RuleSemantics) -> Answers {
            switch semantics {
            case .javaScript: absent[0]
            case .standard: absent[1]
            case .flat: absent[2]
            }
        }
    }

    /// What a condition gives, plain and negated.
    enum Answers: Sendable {
        /// True, negated false.
        case yes
        /// False, negated true.
        case no
        /// False, negated or not.
        case never

        func answer(negated: Bool) -> Bool { self == .never ? false : (self == .yes) != negated }
    }

    static let javaScriptOperators: [Row] = [
        Row("equals", "null", null: .yes, empty: .no, absentFlat: .no),
        Row("equals", "", null: .no, empty: .yes, absentFlat: .yes),
        Row("equalsNumber", "", null: .no, empty: .yes, absentFlat: .yes),
        Row("equalsNumber", 0, null: .no, empty: .no, absentFlat: .no),
        Row("matches", "NULL", null: .yes, empty: .no, absentFlat: .no),
        Row("contains", "ul", null: .yes, empty: .no, absentFlat: .no),
        Row("contains", " ", null: .yes, empty: .yes, absentFlat: .yes),
        Row("startsWith", "nu", null: .yes, empty: .no, absentFlat: .no),
        Row("startsWith", "", null: .yes, empty: .yes, absentFlat: .yes),
        Row("endsWith", "ll", null: .yes, empty: .no, absentFlat: .no),
        Row("endsWith", "", null: .yes, empty: .yes, absentFlat: .yes),
        Row("isIn", "x|null", null: .yes, empty: .no, absentFlat: .no),
        Row("isIn", "x||y", null: .no, empty: .yes, absentFlat: .no),
        Row("isIn", ["", "null"], null: .yes, empty: .yes, absentFlat: .no),
        Row("isIn", 5, null: .no, empty: .no, absentFlat: .no),
        Row("less", 5, null: .never, empty: .never, flat: .no),
        Row("less", "b", null: .never, empty: .yes, flat: .no),
        Row("less", .null, null: .no, empty: .never, flat: .no),
        Row("lessEqual", "", null: .never, empty: .yes, flat: .no),
        Row("lessEqual", .null, null: .yes, empty: .never, flat: .no),
        Row("regexMatches", "^nul", null: .yes, empty: .no, absentFlat: .no),
        Row("regexMatches", "^$", null: .no, empty: .yes, absentFlat: .no),
        Row("regexMatches", "", null: .yes, empty: .yes, absentFlat: .no),
        Row("regexMatches", "[", null: .never, empty: .never, flat: .no),
        Row("exists", nil, null: .no, empty: .no, absent: [.no, .no, .no]),
        Row("doesNotExist", nil, null: .yes, empty: .yes, absent: [.yes, .yes, .yes]),
        Row("not_exists", .null, null: .yes, empty: .yes, absent: [.never, .yes, .yes]),
        Row("almost", "x", null: .never, empty: .never, absentFlat: .never),
        Row("Equals", "null", null: .never, empty: .never, absentFlat: .never),
        Row("_returnNegationCheck", true, null: .never, empty: .never, absentFlat: .never),
        Row("", "", null: .never, empty: .never, absentFlat: .never),
    ]

    /// Under `.standard`; they are unknown otherwise.
    static let mobileOperators: [Row] = [
        Row("eq", "", null: .never, empty: .yes, absentFlat: .never),
        Row("eq", ["x", ""], null: .never, empty: .yes, absentFlat: .never),
        Row("ne", "x", null: .never, empty: .yes, absentFlat: .never),
        Row("ne", ["x", ""], null: .never, empty: .no, absentFlat: .never),
        Row("co", "x", null: .never, empty: .no, absentFlat: .never),
        Row("nc", "x", null: .never, empty: .yes, absentFlat: .never),
        Row("sw", "x", null: .never, empty: .no, absentFlat: .never),
        Row("ew", "x", null: .never, empty: .no, absentFlat: .never),
        Row("gt", 5, null: .never, empty: .no, absentFlat: .never),
        Row("ge", 5, null: .never, empty: .no, absentFlat: .never),
        Row("lt", 5, null: .never, empty: .no, absentFlat: .never),
        Row("le", 5, null: .never, empty: .no, absentFlat: .never),
        Row("ex", nil, null: .no, empty: .yes, absent: [.never, .no, .never]),
        Row("nx", nil, null: .yes, empty: .no, absent: [.never, .yes, .never]),
    ]

    @Test(arguments: javaScriptOperators, RuleSemantics.allCases)
    func nullIsAValueLikeAnyOther(row: Row, semantics: RuleSemantics) {
        for negated in [false, true] {
            let answer = holds(row.matchType, row.value, attribute: .null, negated: negated, semantics)
            #expect(answer == row.null(semantics).answer(negated: negated), "negated: \(negated)")
        }
    }

    @Test(arguments: javaScriptOperators, RuleSemantics.allCases)
    func emptyTextIsAValueLikeAnyOther(row: Row, semantics: RuleSemantics) {
        for negated in [false, true] {
            let answer = holds(row.matchType, row.value, attribute: "", negated: negated, semantics)
            #expect(answer == row.empty(semantics).answer(negated: negated), "negated: \(negated)")
        }
    }

    @Test(arguments: javaScriptOperators + mobileOperators, RuleSemantics.allCases)
    func anAbsentAttributeIsSeenByPresenceOperatorsOnly(row: Row, semantics: RuleSemantics) {
        for negated in [false, true] {
            let answer = holds(row.matchType, row.value, attribute: nil, negated: negated, semantics)
            #expect(answer == row.absent(semantics).answer(negated: negated), "negated: \(negated)")
        }
    }

    @Test(arguments: mobileOperators)
    func toMobileMatchersNullIsAbsent(row: Row) {
        for negated in [false, true] {
            let answer = holds(row.matchType, row.value, attribute: .null, negated: negated)
            #expect(answer == row.null(.standard).answer(negated: negated), "negated: \(negated)")
        }
    }

    @Test(arguments: mobileOperators)
    func mobileMatchersCompareEmptyText(row: Row) {
        for negated in [false, true] {
            let answer = holds(row.matchType, row.value, attribute: "", negated: negated)
            #expect(answer == row.empty(.standard).answer(negated: negated), "negated: \(negated)")
        }
    }

    @Test(arguments: mobileOperators, [RuleSemantics.javaScript, .flat])
    func mobileMatchersAreUnknownElsewhere(row: Row, semantics: RuleSemantics) {
        for negated in [false, true] {
            #expect(holds(row.matchType, row.value, attribute: "x", negated: negated, semantics) == false)
        }
    }
}
