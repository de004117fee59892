internal import ConvertECMAScript

/// Answers comparisons by asking rule data, each time anew.
struct RuleDataReader<Data: RuleData>: TruthSource {
    let program: RuleProgram
    let data: Data
    /// What is left of the call's budget.
    private(set) var budget: CallBudget

    init(program: RuleProgram, data: Data, budget: CallBudget) {
        self.program = program
        self.data = data
        self.budget = budget
    }

    static var canMissData: Bool { true }

    func holdsPlainly(_ comparison: Int) -> Bool? { nil }

    mutating func truth(of comparison: Int, at condition: Int) -> Truth {
        switch program.tables.pointee.comparisons[comparison].kind {
        case .never: return .neither
        case .null: return .malformed
        default: break
        }
        switch data.answer(for: program.sources[condition]) {
        case .value(let value):
            if budget.isSpent, value?.isReadForNothing == false { return budget.giveUp(at: condition) }
            return Comparisons.truth(of: comparison, on: value, in: program, &budget)
        case .result(let holds): return .always(holds)
        case .needMoreData: return .needMoreData
        case .noDataFound: return .noDataFound
        case .unsupported: return .neither
        }
    }
}

extension JSValue {
    /// Whether what a comparison reads of the value is short, whatever it is compared with.
    fileprivate var isReadForNothing: Bool {
        switch self {
        case .null, .bool, .integer, .number: true
        case .string(let text): text.utf8.count <= CallBudget.freeTextCount
        case .illFormedString(let text): text.bytes.count <= CallBudget.freeTextCount
        case .array, .object: false
        }
    }
}
