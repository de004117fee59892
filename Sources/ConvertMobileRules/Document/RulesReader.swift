internal import ConvertECMAScript

/// Collects warnings while a document's rules are read: about parts that are left out or never hold, and about members
/// that may be misspelt.
struct RulesReader {
    /// A problem to warn about.
    struct Finding: Sendable {
        let ruleIndex: Int?
        let place: String
        /// The problem and its effect under ``MobileRulesSemantics/standard``.
        let message: String
        /// The problem and its effect under ``MobileRulesSemantics/reference``.
        let messageOfReference: String
    }

    /// The findings in document order; at most one more than the limit of warnings.
    private(set) var findings: [Finding] = []
    /// Index of the rule being read; `nil` outside of rules.
    var ruleIndex: Int?
    private var finder = JSONPathFinder()
    /// The number of surrounding lists that are not part of a rule; no warnings are collected in them.
    var silence = 0

    /// The suggestions for unknown member names, by the kind of the object and the name's number in the document.
    private var suggestions: [UInt64: MemberNames.Suggestion?] = [:]
    /// The maximum number of names that are compared with known names. A document written by people has dozens of
    /// names, a hostile document millions.
    static let comparedNames = 4_096

    private var isFull: Bool { findings.count > MobileRulesLimits.warnings }

    mutating func warn(
        _ message: @autoclosure () -> String, reference: @autoclosure () -> String? = nil, at place: JSONCursor
    ) {
        guard silence == 0, !isFull else { return }
        let text = message()
        findings.append(
            Finding(
                ruleIndex: ruleIndex, place: finder.path(of: place), message: text,
                messageOfReference: reference() ?? text))
    }

    /// Warns about unknown members of `object` whose names are similar to a known name.
    mutating func checkNames(of object: JSONCursor, as kind: DocumentObject) {
        if silence > 0 { return }
        let names = kind.names
        for member in object.members where !names.contains(number: member.nameNumber) {
            if isFull { return }
            guard let name = member.name?.name, let suggestion = suggestion(for: member, name, as: kind) else {
                continue
            }
            if suggestion.isLastWord, object[suggestion.name] != nil { continue }
            warn("'\(name.excerpt())' is unknown here; \(suggestion.name.didYouMean)", at: member)
        }
    }

    private mutating func suggestion(
        for member: JSONCursor, _ name: String, as kind: DocumentObject
    ) -> MemberNames.Suggestion? {
        let key = UInt64(kind.rawValue) << 32 | UInt64(member.nameNumber)
        if let known = suggestions[key] { return known }
        guard suggestions.count < Self.comparedNames else { return nil }
        let suggestion = kind.names.suggestion(for: name)
        suggestions[key] = .some(suggestion)
        return suggestion
    }

    /// Warns about faulty tokens in a part of a consequence's detail.
    mutating func checkTokens(in value: JSONCursor) {
        for cursor in value.descendants {
            if isFull { return }
            guard cursor.hasText(containing: UInt8(ascii: "{")), let text = cursor.text else { continue }
            for fault in TokenTemplate(text).faults { warn(fault.message, at: cursor) }
        }
    }

    /// Warns about values that `matcher`, defined in `definition`, cannot compare.
    mutating func check(_ matcher: Condition.Matcher, in definition: JSONCursor) {
        switch matcher.comparison {
        case .exists, .notExists: return
        default: break
        }
        if !matcher.values.isEmpty, matcher.values.allSatisfy({ matcher.comparison.compares(with: $0) == true }) {
            return
        }
        if matcher.values.isEmpty, matcher.comparison.compares(with: "") == true { return }
        let needsAll = matcher.comparison.needsAllOperands
        if matcher.values.isEmpty {
            warn("'\(matcher.matcher)' needs values: this condition never holds.", at: definition)
        }
        guard let places = definition[.values]?.elements else { return }
        for (place, value) in zip(places, matcher.values) {
            guard let isCompared = matcher.comparison.compares(with: value) else {
                let reason = "nothing can be compared with null, an array or an object: "
                warn(
                    reason + (needsAll ? "this condition never holds." : "this value is left out."),
                    reference: reason + "this value is left out.", at: place)
                continue
            }
            if isCompared { continue }
            warn(
                "'\(matcher.matcher)' does not compare with a value of this type: "
                    + (needsAll ? "this condition never holds." : "this value is never met."), at: place)
        }
    }
}
