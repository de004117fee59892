/// Answers comparisons by asking rule data, each time anew.
struct RuleDataReader<Data: RuleData>: TruthSource {
    let program: RuleProgram
    let data: Data

    func truth(of comparison: Int, at condition: Int, _ observer: inout some RuleObserver) -> Truth {
        switch program.tables.pointee.comparisons[comparison].kind {
        case .never: return .neither
        case .misses: return Truth(false)
        case .null: return .malformed
        default: break
        }
        switch data.answer(for: program.sources[condition]) {
        case .value(let value):
            let truth = Comparisons.truth(of: comparison, on: value, in: program)
            if truth == .abandoned { observer.didAbandon(condition: condition) }
            return truth
        case .result(let holds): return .always(holds)
        case .needMoreData: return .needMoreData
        case .noDataFound: return .noDataFound
        case .unsupported: return .neither
        }
    }
}
