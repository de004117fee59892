internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The intended operator and negation of a condition that has them in members with foreign names.
struct ForeignMatching {
    /// The suggested replacement for these members.
    let remedy: String

    /// - Parameters:
    ///   - leaf: the condition.
    ///   - semantics: the semantics that define the operators.
    ///   - names: the condition's members, by their names in other services.
    ///   - matchingNames: the members of `matching`, by their names in other services.
    /// - Returns: `nil` if the operator is not known.
    init?(
        _ leaf: JSObject, under semantics: RuleSemantics, _ names: [String: String], _ matchingNames: [String: String]
    ) {
        let own = leaf["matching"]?.objectValue ?? JSObject()
        func values(of member: String) -> (own: [JSValue], foreign: [JSValue]) {
            let foreign =
                leaf.filter { names[ECMAScript.toLowerCase($0.key.name)] == "matching.\(member)" }
                + own.filter { matchingNames[ECMAScript.toLowerCase($0.key.name)] == member }
            return ([own[member], leaf[member]].compactMap(\.self), foreign.map(\.value))
        }
        let (operators, negations) = (values(of: "match_type"), values(of: "negated"))
        let name: String
        var isNegated = (negations.own + negations.foreign).contains { $0 == true || $0 == "true" || $0 == 1 }
        if let known = operators.own.first?.stringValue, Operation(wireName: known, under: semantics) != nil {
            name = known
        } else if let text = (operators.own + operators.foreign).lazy.compactMap(\.stringValue).first {
            if let foreign = ForeignOperator(text) {
                name = foreign.name
                if foreign.isNegated { isNegated.toggle() }
            } else if Operation(wireName: text, under: semantics) != nil {
                name = text
            } else if ForeignOperator.comparesVersions(text) {
                remedy = ForeignOperator.versionRemedy
                return
            } else {
                return nil
            }
        } else {
            return nil
        }
        let isWritten = own["match_type"] == .string(name) && own["negated"] == .bool(isNegated)
        if isWritten {
            let isSame = (operators.own + operators.foreign).allSatisfy { operation in
                operation.stringValue.map { ForeignOperator($0)?.name ?? $0 } == name
            }
            remedy =
                isSame
                ? "Remove it: matching says the same." : "Write in 'matching' what is meant, and remove this member."
        } else {
            remedy = "Write \"matching\": {\"match_type\": \"\(name)\", \"negated\": \(isNegated)} in place of it."
        }
    }
}
