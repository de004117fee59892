internal import ConvertECMAScript

/// A warning about a part that was left out or failed. The rest is not affected.
public struct MobileRulesWarning: Sendable, Hashable, CustomStringConvertible {
    /// Index of the affected rule, or `nil` if the warning is not about a rule.
    public let ruleIndex: Int?

    /// The place: a JSON path into the rules, or the component that failed, such as `event history`.
    public let place: String

    /// The problem and its effect.
    public let message: String

    package init(at place: String, _ message: String, ruleIndex: Int? = nil) {
        // Both may quote a document, an archive or an event.
        self.place = place.onOneLine
        self.message = message.onOneLine
        self.ruleIndex = ruleIndex
    }

    /// The place and the message, on one line.
    public var description: String { "\(place): \(message)" }
}
