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

    mutating func add(_ site: SitedCondition) {
        guard let key = site.condition.attribute else { return }
        var use = Use()
        switch site.operation {
        case .less, .lessEqual, .mobile(.greater), .mobile(.greaterOrEqual), .mobile(.less), .mobile(.lessOrEqual):
            use.number = site.path
        case .contains, .startsWith, .endsWith, .regexMatches, .mobile(.contains), .mobile(.notContains),
            .mobile(.startsWith), .mobile(.endsWith):
            use.text = site.path
        case .equals, .isIn, .mobile(.equals), .mobile(.notEquals):
            // A text that spells a number suits both ways of reading.
            if case .string(let text)? = site.condition.value, ECMAScript.stringToNumber(text).isNaN {
                use.text = site.path
            }
        case .exists, .notExists, .doesNotExist, .mobile(.exists), .mobile(.notExists): return
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
