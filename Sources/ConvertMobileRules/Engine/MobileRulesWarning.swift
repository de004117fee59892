internal import ConvertECMAScript

/// Something that was left out or did not work, and took nothing else down.
public struct MobileRulesWarning: Sendable, Hashable, CustomStringConvertible {
    /// Index of the rule concerned, or `nil` if it is none.
    public let ruleIndex: Int?

    /// Where: a JSON path into the rules, or what failed, such as `event history`.
    public let place: String

    /// What is wrong and what follows.
    public let message: String

    package init(at place: String, _ message: String, ruleIndex: Int? = nil) {
        // Either may quote a document, an archive or an event.
        self.place = place.onOneLine
        self.message = message.onOneLine
        self.ruleIndex = ruleIndex
    }

    /// Place and message in one line.
    public var description: String { "\(place): \(message)" }
}
