internal import ConvertECMAScript

/// Answers comparisons by asking rule data, and caches no answer.
struct RuleDataReader<Data: RuleData>: TruthSource {
    let program: RuleProgram
    let data: Data
    /// The rest of the call's budget.
    private(set) var budget: CallBudget

    static var canMissData: Bool { true }

    func quickAnswer(to comparison: Int) -> Bool? { nil }

    mutating func truth(of comparison: Int, at condition: Int) -> Truth {
        switch program.comparisons[comparison].operand {
        case .never: return .neither
        case .null: return .malformed
        default: break
        }
        switch data.answer(for: program.originals[condition]) {
        case .value(let value):
            if budget.isSpent, value?.isReadForNothing == false { return budget.giveUp(at: condition) }
            return truth(of: comparison, on: value)
        case .result(let holds): return .always(holds)
        case .needMoreData: return .needMoreData
        case .noDataFound: return .noDataFound
        case .unsupported: return .neither
        }
    }

    /// The cost, in visits, of converting a byte of a value to text and to lower case.
    private static var visitsPerReadByte: Int { 8 }

    /// The answer to the comparison at `index` for a single value. `nil` is ECMAScript's `undefined`, or an absent
    /// attribute under semantics that compare absent attributes.
    private mutating func truth(of index: Int, on value: JSValue?) -> Truth {
        let slot = Int(program.comparisons[index].slot)
        var attributes = Attributes(value, comparedIn: slot, of: program)
        return program.lend(&attributes, &budget) { input in
            // The value was read for this comparison alone.
            let count = input.resolver.attributes[0].text.count
            if count > CallBudget.freeTextCount { input.budget.value.spend(visits: Self.visitsPerReadByte * count) }
            return Comparisons.truth(Comparison(index, on: 0, input))
        }
    }
}

extension JSValue {
    /// Whether reading the value costs no budget, because its text is short.
    fileprivate var isReadForNothing: Bool {
        switch self {
        case .null, .bool, .integer, .number: true
        case .string(let text): text.utf8.count <= CallBudget.freeTextCount
        case .illFormedString(let text): text.bytes.count <= CallBudget.freeTextCount
        case .array, .object: false
        }
    }
}
