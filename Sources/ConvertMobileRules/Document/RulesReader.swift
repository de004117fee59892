internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What reading a document's rules leaves out, and what can never hold, is told here.
struct RulesReader {
    /// Something to warn of.
    struct Finding: Sendable {
        let ruleIndex: Int
        let place: String
        /// What is wrong and what follows, under ``MobileRulesSemantics/standard``.
        let message: String
        /// The same under ``MobileRulesSemantics/reference``.
        let messageOfReference: String
    }

    /// What was found, in document order: at most one more than is given.
    private(set) var findings: [Finding] = []
    /// Index of the rule that is read.
    var ruleIndex = 0
    private var finder = JSONPathFinder()
    private var isSilent = false

    private var isFull: Bool { findings.count > MobileRulesLimits.warnings }

    mutating func warn(
        _ message: @autoclosure () -> String, reference: @autoclosure () -> String? = nil, at place: JSONCursor
    ) {
        guard !isSilent, !isFull else { return }
        let text = message()
        findings.append(
            Finding(
                ruleIndex: ruleIndex, place: finder.path(of: place), message: text,
                messageOfReference: reference() ?? text))
    }

    /// Reads what is no part of a rule, so that nothing in it is worth a warning.
    mutating func silently<Result>(
        _ read: (inout RulesReader) throws(DocumentFault) -> Result
    ) throws(DocumentFault) -> Result {
        let wasSilent = isSilent
        isSilent = true
        defer { isSilent = wasSilent }
        return try read(&self)
    }

    /// Looks for faulty tokens in a part of a consequence's detail.
    mutating func checkTokens(in value: JSONCursor) {
        if value.isArray {
            for element in value.elements { checkTokens(in: element) }
        } else if value.isObject {
            for member in value.members { checkTokens(in: member) }
        } else if !isFull, let text = value.text, text.utf8.contains(UInt8(ascii: "{")) {
            for fault in TokenTemplate(text).faults { warn(fault.message, at: value) }
        }
    }

    /// Looks for values that `matcher`, which stands in `definition`, can never meet.
    mutating func check(_ matcher: Condition.Matcher, in definition: JSONCursor) {
        let isSound =
            matcher.operands.count >= matcher.values.count
            && matcher.operands.allSatisfy { matcher.comparison.compares(with: $0) }
        if isSound || matcher.comparison == .exists || matcher.comparison == .notExists { return }
        let needsAll = matcher.comparison.needsAllOperands
        if matcher.values.isEmpty {
            warn("'\(matcher.matcher)' needs values: this condition never holds.", at: definition)
        }
        guard let places = definition[.values]?.elements else { return }
        for (place, value) in zip(places, matcher.values) {
            guard let operand = MobileOperand(value) else {
                let reason = "nothing can be compared with null, an array or an object: "
                warn(
                    reason + (needsAll ? "this condition never holds." : "this value is left out."),
                    reference: reason + "this value is left out.", at: place)
                continue
            }
            if matcher.comparison.compares(with: operand) { continue }
            warn(
                "'\(matcher.matcher)' does not compare with a value of this type: "
                    + (needsAll ? "this condition never holds." : "this value is never met."), at: place)
        }
    }
}
