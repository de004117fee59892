internal import ConvertECMAScript

/// A consequence whose detail is parsed for tokens.
struct ConsequenceTemplate: Sendable {
    private struct Member: Sendable {
        let key: PropertyKey
        let value: DetailTemplate
        /// The tokens of `templateurl`, the address to which a request may be sent.
        let address: TokenTemplate?
    }

    private static let addressKey = PropertyKey("templateurl")

    private let id: String
    private let type: String
    private let members: [Member]
    private let hasTokens: Bool

    init(_ consequence: Consequence) {
        id = consequence.id
        type = consequence.type
        members = consequence.detail.map { member in
            let value = DetailTemplate(member.value)
            guard member.key == Self.addressKey, case .text(let template) = value else {
                return Member(key: member.key, value: value, address: nil)
            }
            return Member(key: member.key, value: value, address: template)
        }
        hasTokens = members.contains { !$0.value.isConstant }
    }

    /// The consequence with all tokens replaced, or `nil` if the replacements exceed the view's limit.
    func resolved(in view: inout EventView, ruleIndex: Int) -> ResolvedConsequence? {
        var detail = JSObject()
        var address: ExpandedText?
        for member in members {
            if let template = member.address {
                // Replaced only once, because a token may have a new value at each reading.
                let expansion = template.expansion(in: &view)
                detail[member.key] = .string(expansion.text)
                address = expansion
            } else {
                detail[member.key] = member.value.value(in: &view)
            }
        }
        if hasTokens && view.expansionRoom < 0 { return nil }
        return ResolvedConsequence(
            ruleIndex: ruleIndex, consequence: Consequence(id: id, type: type, detail: detail), address: address)
    }
}

/// A consequence with its tokens replaced.
struct ResolvedConsequence {
    let ruleIndex: Int
    let consequence: Consequence
    /// The detail's `templateurl`, if it contains tokens.
    let address: ExpandedText?
}
