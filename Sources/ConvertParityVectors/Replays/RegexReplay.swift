import ConvertECMAScript

/// A regular expression: whether it is valid and matches, the range of the match, and the captures of its groups.
struct RegexReplay: VectorReplay {
    struct Case: VectorCase {
        let pattern: String
        let flags: String
        let input: String
        let expect: JSValue
        let match: JSValue?
        let captures: JSValue?
        let mayGiveUp: Bool

        init(_ cursor: JSONCursor) throws(VectorError) {
            pattern = try cursor.required("pattern").asText
            flags = try cursor.optional("flags")?.asText ?? "i"
            input = try cursor.required("input").asText
            expect = try cursor.required("expect").value
            match = cursor.operand("match")
            captures = cursor.operand("captures")
            mayGiveUp = try cursor.optional("mayGiveUp")?.asFlag ?? false
        }
    }

    /// A cache of compiled patterns, because most patterns are used for several inputs.
    private final class Patterns {
        private struct Key: Hashable {
            let pattern: PropertyKey
            let flags: PropertyKey
        }

        private static let mostPatterns = 100
        private var expressions: [Key: RegExp?] = [:]

        /// The compiled pattern, or `nil` if the pattern is invalid.
        func expression(_ pattern: String, flags: String) -> RegExp? {
            let key = Key(pattern: PropertyKey(pattern), flags: PropertyKey(flags))
            if let known = expressions[key] { return known }
            if expressions.count == Self.mostPatterns { expressions = [:] }
            let expression = try? RegExp(pattern, flags: flags)
            expressions[key] = .some(expression)
            return expression
        }
    }

    private let patterns = Patterns()

    func mismatch(in testCase: Case) -> Mismatch? {
        guard let expression = patterns.expression(testCase.pattern, flags: testCase.flags) else {
            return Mismatch(expected: testCase.expect, actual: "error")
        }
        do {
            let matches = try expression.test(testCase.input)
            if let mismatch = Mismatch(expected: testCase.expect, actual: .bool(matches)) { return mismatch }
        } catch {
            // An automaton must not give up, even if the case allows it.
            let mayGiveUp = testCase.mayGiveUp && expression.plan.executor == .backtracker
            return mayGiveUp ? nil : Mismatch(expected: spell(testCase.expect), actual: "test: \(error)")
        }
        do {
            let match = try expression.exec(testCase.input)
            let isFound = Mismatch(expected: testCase.expect, actual: .bool(match != nil), place: "exec")
            guard isFound == nil, testCase.match != nil else { return isFound }
            let place = match.map { JSValue.array([.integer($0.range.lowerBound), .integer($0.range.upperBound)]) }
            return Mismatch(expected: testCase.match, actual: place, place: "match")
                ?? Mismatch(expected: testCase.captures ?? [], actual: match.map(captures), place: "captures")
        } catch {
            return testCase.mayGiveUp ? nil : Mismatch(expected: spell(testCase.expect), actual: "exec: \(error)")
        }
    }

    /// The captures of the groups in the vectors' format. If the pattern has no groups, the list in a vector is empty
    /// or missing.
    private func captures(of match: RegExp.Match) -> JSValue {
        .array(
            (0...match.groupCount).dropFirst().map { group in
                guard let range = match.range(of: group), let text = match[group] else { return .null }
                // A capture that splits a surrogate pair has no text. The vectors give its range instead.
                let units = match.input.utf16
                let start = units.index(units.startIndex, offsetBy: range.lowerBound)
                let end = units.index(start, offsetBy: range.count)
                return text.utf16.elementsEqual(units[start..<end])
                    ? .string(text) : [.integer(range.lowerBound), .integer(range.upperBound)]
            })
    }
}
