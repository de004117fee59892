internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for lists that miss visitors whom their items name.
extension LintContext {
    /// Checks the items of a list against visitors who have them as spelled.
    mutating func checkList(of site: SitedCondition) {
        var list = site.condition.value?.stringValue
        // A list that is written in brackets is a list too.
        let inner = list.flatMap {
            $0.trimmed.withoutBrackets(among: $0.contains("|") ? ["[]", "{}"] : ["[]", "{}", "()"])
        }
        if let text = list {
            if text.trimmed == "*" { return checkAnything(site) }
            for item in text.parts(between: "|").prefix(Self.mostItems) where checkNotation(of: item, site) { return }
            if inner == nil, checkExpression(in: text, site) { return }
            list = inner ?? text
        }
        let items: [String]
        switch site.condition.value {
        case .string?: items = (list ?? "").parts(between: "|")
        case .array(let values)? where values.allSatisfy({ $0.arrayValue == nil && $0.objectValue == nil }):
            items = values.map { ECMAScript.toString($0) }
            for item in items.prefix(Self.mostItems) where checkNotation(of: item, site) { return }
        default: return
        }
        checkItems(items, isBracketed: inner != nil, site)
    }

    /// Checks for an item that contains several items, or extra characters around it.
    private mutating func checkItems(_ items: [String], isBracketed: Bool, _ site: SitedCondition) {
        let condition = site.condition
        let domain = pool[site]
        let isSeparated = items.count > 1
        if isSeparated, items.contains(""), domain.finds("") {
            let edit = self.edit(condition, items.filter { !$0.isEmpty })
            return add(
                .listMissesItem, at: site.valuePath,
                "The list has an empty item, so \"\" \(domain.answer(for: "")), like any other item.",
                remedy: edit.sentence(replacing: condition, ""), witness: witness(with: "", site),
                contrast: ["x", "y", "z"].first { !domain.finds($0) }.map { witness(with: $0, site) },
                edit: edit)
        }
        let corrected = items.prefix(Self.mostItems).map {
            parts(of: $0, isSeparated: isSeparated, site) ?? [$0.trimmed.unquoted ?? $0.trimmed]
        }
        let meant = corrected.flatMap(\.self).filter { !$0.isEmpty } + items.dropFirst(Self.mostItems)
        guard !meant.isEmpty else { return }
        let spelled = isBracketed ? condition.value?.stringValue?.parts(between: "|") ?? [] : []
        for (item, parts) in zip(items, corrected) {
            guard let first = parts.first(where: { !domain.finds($0) }) else { continue }
            let matched = ([item, ECMAScript.toLowerCase(item)] + spelled).first(where: domain.finds)
            let reason: String
            if isBracketed {
                reason = "The brackets around the list belong to its items."
            } else if parts.count > 1, case .array? = condition.value {
                reason = "Each element of the list is one value, so '\(item.excerpt())' is a single value."
            } else if parts.count > 1 || item.trimmed.last.map(Self.separators.contains) ?? false {
                reason = "The list's items are separated by '|', so that '\(item.excerpt())' is one item."
            } else if item.trimmed.unquoted != nil {
                reason = "The quotation marks of the item \(item.excerpt()) belong to it."
            } else if item.trimmed.utf8.count != item.utf8.count {
                reason = "The blanks around the item '\(item.excerpt())' belong to it."
            } else {
                reason = "The list is compared in lower case, and the visitor's text as it is."
            }
            var message = reason + " \"\(first.excerpt())\" \(domain.answer(for: .string(first)))"
            message += matched.map { ", \"\($0.excerpt())\" \(domain.answer(for: .string($0)))." } ?? "."
            let edit = self.edit(condition, meant)
            return add(
                .listMissesItem, at: site.valuePath, message, remedy: edit.sentence(replacing: condition, ""),
                witness: witness(with: first, site),
                contrast: matched.map { witness(with: $0, site) }, edit: edit)
        }
    }

    /// A condition with other items. Visitors' texts are compared as they are, so a list gets its items in lower case;
    /// other items become a pattern, which ignores case.
    private func edit(_ condition: RuleCondition, _ items: [String]) -> ConditionEdit {
        let meant: RuleCondition
        if items.contains(where: { !ECMAScript.toLowerCase($0).hasSameCodeUnits(as: $0) }) {
            meant = condition.comparing(.equals, anyOf: items)
        } else if case .array? = condition.value {
            meant = condition.comparing(condition.matchType, .array(items.map { .string($0) }))
        } else {
            meant = condition.comparing(condition.matchType, .string(items.joined(separator: "|")))
        }
        return ConditionEdit(meant, isNegated: condition.negation)
    }

    private static let separators: Set<Character> = [",", ";", "|", "\n", "\t", "，", "、", "；"]

    /// The items that one item contains; `nil` if it is a single item.
    ///
    /// - Parameter isSeparated: whether the list has several items. Then an item, or a place with its state, may
    ///   contain a comma followed by a blank.
    private func parts(of item: String, isSeparated: Bool, _ site: SitedCondition) -> [String]? {
        if let spoken = spokenAlternatives(in: item, site) { return spoken }
        let text = item.trimmed
        let inner = text.withoutBrackets(among: ["[]", "()", "{}"]) ?? text
        let parts = inner.split(whereSeparator: Self.separators.contains).map { String($0).trimmed }.filter {
            !$0.isEmpty
        }
        guard parts.count > 1 || parts.count == 1 && parts[0] != text, parts.allSatisfy({ $0.utf8.count <= 30 }) else {
            return nil
        }
        let isPlace = parts.count == 2 && parts[1].count == 2 && parts[0].count > 3
        if inner.contains(", "), isSeparated || isPlace { return nil }
        return parts.count > 1 ? parts.map { $0.unquoted ?? $0 } : parts
    }

    /// Checks for a list whose only item is an asterisk.
    private mutating func checkAnything(_ site: SitedCondition) {
        suspect(
            .literalPattern, site, meaning: [site.condition.comparing("exists", nil)],
            "isIn compares plain text: a '*' stands for itself.", if: ", if every value is meant")
    }

    /// Checks for a list that is a regular expression, or has one as an item.
    private mutating func checkExpression(in list: String, _ site: SitedCondition) -> Bool {
        let items = list.parts(between: "|")
        let isWhole = list.assumedExpression != nil && items.contains { $0.hasPrefix("(") || $0.hasPrefix("^") }
        let pattern: String
        if isWhole {
            let isAnchored = list.contains("^") || list.contains("$")
            pattern = PatternText(list).withCommonAnchors ?? (isAnchored ? list : "^\(list)$")
        } else {
            let patterns = items.map { item in
                let isGlob = item.hasSuffix("*") && item.dropLast().contains(where: \.isLetter)
                return item.assumedExpression ?? (isGlob ? item.dropLast().escapedForExpression + ".*" : nil)
            }
            if patterns.allSatisfy({ $0 == nil }) { return false }
            let inner = zip(items, patterns).map { item, pattern in pattern ?? item[...].escapedForExpression }
            pattern = "^(?:\(inner.joined(separator: "|")))$"
        }
        guard (try? RegExp(pattern, flags: "i")) != nil else { return false }
        suspect(
            .literalPattern, site, meaning: [site.condition.comparing("regexMatches", .string(pattern))],
            "isIn compares plain text, and the list has what looks like a regular expression.")
        return true
    }
}

extension String {
    /// The text without the brackets that programs write around a list; `nil` if it has no brackets.
    fileprivate func withoutBrackets(among pairs: [String]) -> String? {
        let isBracketed = pairs.contains { first == $0.first && last == $0.last && count > 2 }
        let inner = dropFirst().dropLast()
        return isBracketed && !inner.contains(where: { "[](){}".contains($0) }) ? String(inner) : nil
    }
}
