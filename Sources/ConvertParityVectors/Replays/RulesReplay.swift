import ConvertECMAScript
import ConvertSwiftSDKCore

/// A rule set evaluated on attributes, with JavaScript's semantics unless the file specifies other semantics.
struct RulesReplay: VectorReplay {
    let semantics: RuleSemantics

    struct Case: VectorCase {
        let rules: RuleTree?
        let data: JSValue?
        let keysAreCaseSensitive: Bool
        let expect: JSValue

        init(_ cursor: JSONCursor) throws(VectorError) {
            rules = try cursor.optional("rules").map { RuleTree($0.value).resolvingNumbers }
            data = cursor.operand("data")
            keysAreCaseSensitive = try cursor.optional("keysCaseSensitive")?.asFlag ?? true
            expect = try cursor.required("expect").value
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        let manager = testCase.rules.map {
            SingleRuleSet(
                RuleAdapter(semantics: semantics).flatten($0), semantics: semantics,
                keysAreCaseSensitive: testCase.keysAreCaseSensitive)
        }
        let verdict = manager?.verdict(on: testCase.data?.objectValue) ?? .malformed
        let actual: JSValue
        switch verdict {
        case .matched: actual = true
        case .notMatched: actual = false
        case .needMoreData: actual = "convert.com_need_more_data"
        case .noDataFound: actual = "convert.com_no_data_found"
        case .malformed: actual = "error"
        }
        return Mismatch(expected: testCase.expect, actual: actual)
    }
}

extension RuleTree {
    /// The tree with the numbers of its leaves' values resolved.
    fileprivate var resolvingNumbers: RuleTree {
        RuleTree(
            blocks: blocks.map { block in
                block.map { block in
                    Block(
                        clauses: block.clauses.map { clause in
                            clause.map { clause in
                                Clause(
                                    leaves: clause.leaves.map { leaf in
                                        leaf.map { leaf in
                                            var leaf = leaf
                                            leaf.value = leaf.value?.resolvingNumbers
                                            return leaf
                                        }
                                    })
                            }
                        })
                }
            })
    }
}
