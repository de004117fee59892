internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The ways in which conditions read each attribute: as text or as a number.
struct AttributeUses {
    private struct Use {
        var text: String?
        var number: String?
    }

    private var uses: [PropertyKey: Use] = [:]
    private var order: [PropertyKey] = []

    mutating func add(_ condition: RuleCondition, at path: String) {
        guard let key = condition.attribute else { return }
        var use = Use()
        switch condition.matchType {
        case "less", "lessEqual", "gt", "ge", "lt", "le": use.number = path
        case "contains", "startsWith", "endsWith", "regexMatches", "co", "nc", "sw", "ew": use.text = path
        case "equals", "matches", "isIn", "eq", "ne":
            // A text that spells a number suits both ways of reading.
            if case .string(let text)? = condition.value, ECMAScript.stringToNumber(text).isNaN { use.text = path }
        default: return
        }
        if uses[key] == nil { order.append(key) }
        uses[key, default: Use()].text = uses[key]?.text ?? use.text
        uses[key, default: Use()].number = uses[key]?.number ?? use.number
    }

    var findings: [LintFinding] {
        order.compactMap { key in
            guard let use = uses[key], let text = use.text, let number = use.number else { return nil }
            return LintFinding(
                .mixedTypes, at: number,
                "'\(key.name.excerpt())' is compared as a number here and as text at \(text).",
                remedy: "Give the number and the text names of their own.")
        }
    }
}
