internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension RuleCondition {
    /// The condition in a few words, such as `plan equals "pro"`.
    var summary: String {
        let value = value.map { " " + ECMAScript.jsonText(of: $0).excerpt() } ?? ""
        return "\((key ?? "(no attribute)").excerpt()) \(negation ? "not " : "")\(matchType.excerpt())\(value)"
    }
}

extension String {
    /// The numbers between separators, as in a version or a date; `nil` if any part between them is not a number.
    fileprivate func numbers(between separator: Character) -> [Substring]? {
        let parts = split(separator: separator, omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } } ? parts : nil
    }

    /// Whether the text is a date with leading zeros, with or without a time: such texts sort correctly.
    var isSortableDate: Bool {
        let (date, rest) = (String(prefix(10)), dropFirst(10))
        return date.numbers(between: "-")?.map(\.count) == [4, 2, 2] && (rest.isEmpty || rest.first == "T")
    }
}

extension ConditionDomain {
    /// Whether the operator finds its value in a text, regardless of the negation.
    func finds(_ text: String) -> Bool { holds(for: .string(text)) != condition.negation }

    /// The answer for a value in words; the negation is applied.
    func answer(for value: JSValue) -> String { holds(for: value) ? "matches" : "does not match" }

    /// The suggested correction for ``typeProblem``.
    var typeRemedy: String {
        let text = condition.value?.stringValue ?? ""
        if text.numbers(between: ".")?.count ?? 0 > 2 {
            return ForeignOperator.versionRemedy
        }
        if ["-", "/"].contains(where: { text.trimmed.numbers(between: $0)?.count == 3 }) {
            return "Write the date with all zeros, such as \"2026-03-01\"."
        }
        guard operation == .less || operation == .lessEqual else {
            return "Write a value of the type that the operator compares."
        }
        func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }
        let number = text.drop { !isDigit($0) }.prefix { isDigit($0) || $0 == "." }
        // A sign or a unit next to a single number.
        let isBeside = !number.isEmpty && !text[number.endIndex...].contains(where: isDigit)
        let minus = text[..<number.startIndex].last == "-" ? "-" : ""
        return isBeside
            ? "Write the number alone, without signs, letters or blanks, such as \(minus)\(number)." : "Write a number."
    }

    /// The reason why the operator cannot compare the rule's value; `nil` if it can.
    var typeProblem: String? {
        guard let value = condition.value else { return nil }
        switch operation {
        case .less, .lessEqual:
            switch value {
            case .integer, .number: return nil
            case .string, .illFormedString:
                if NumericShape.isNumeric(value) { return nil }
                if semantics != .flat, value.stringValue?.isSortableDate ?? false { return nil }
                return semantics == .flat
                    ? "it is not a number, so the comparison \(condition.negation ? "always" : "never") holds."
                    : "it is text that is not a number, so texts are compared with it by code units, and numbers never "
                        + "match."
            case .bool: return "it compares with booleans only."
            case .null, .array, .object: return "it compares with null, arrays and objects only."
            }
        case .isIn:
            switch value {
            case .string, .illFormedString, .array: return nil
            default: return "it is neither text nor a list, so it counts as an empty list."
            }
        case .equals:
            switch value {
            case .null, .object: return "it is converted to the text \"\(ECMAScript.toString(value).excerpt())\"."
            default: return nil
            }
        case .regexMatches, .contains, .startsWith, .endsWith:
            switch value {
            case .string, .illFormedString, .integer, .number, .bool: return nil
            case .null, .array, .object:
                return "it is converted to the text \"\(ECMAScript.toString(value).excerpt())\"."
            }
        case .mobile(let matcher):
            if (value.arrayValue ?? [value]).allSatisfy({ matcher.compares(with: $0) == true }) { return nil }
            switch matcher {
            case .exists, .notExists: return nil
            case .equals, .notEquals: return "null, arrays and objects equal nothing."
            case .greater, .greaterOrEqual, .less, .lessOrEqual: return "this operator compares numbers only."
            case .contains, .notContains, .startsWith, .endsWith: return "this operator compares text only."
            }
        case .exists, .notExists, .doesNotExist, nil: return nil
        }
    }
}
