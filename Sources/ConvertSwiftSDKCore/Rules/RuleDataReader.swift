/// Answers comparisons by asking rule data, each time anew.
struct RuleDataReader<Data: RuleData>: TruthSource {
    let program: RuleProgram
    let data: Data
    /// What is left for patterns.
    private(set) var patterns: PatternBudget

    init(program: RuleProgram, data: Data, patterns: PatternBudget) {
        self.program = program
        self.data = data
        self.patterns = patterns
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
            return Comparisons.truth(of: comparison, on: value, in: program, &patterns)
        case .result(let holds): return .always(holds)
        case .needMoreData: return .needMoreData
        case .noDataFound: return .noDataFound
        case .unsupported: return .neither
        }
    }
}
