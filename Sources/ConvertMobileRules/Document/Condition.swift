public import ConvertECMAScript
package import ConvertValues

/// A condition that an event must meet for a rule to match.
public enum Condition: Sendable {
    /// All or any of the members.
    case group(Group)
    /// A comparison of a value of the event, or of a shared state, with the rule's values.
    case matcher(Matcher)
    /// A question to the event history.
    indirect case historical(Historical)
    /// An unusable condition, and why it is unusable. ``MobileRulesSemantics`` determines its effect.
    case unusable(String)

    /// How a group combines its members.
    public enum Logic: Sendable, Hashable {
        /// All members must hold.
        case and
        /// One member must hold.
        case or
        /// An unknown logic; the group never holds.
        case unknown(String)
    }

    /// Conditions that are combined by a logic.
    public struct Group: Sendable {
        /// How the members are combined.
        public let logic: Logic
        /// The members in order, including unusable ones.
        public let conditions: [Condition]
    }

    /// A comparison of a key's value.
    public struct Matcher: Sendable {
        /// The key, as written: a name of the flattened event, or a special key that begins with `~`.
        public let key: String
        /// The matcher's name: `eq`, `ne`, `ex`, `nx`, `gt`, `ge`, `lt`, `le`, `co`, `nc`, `sw` or `ew`.
        public let matcher: String
        /// The rule's values, as written. If the list is empty, the event's value is compared with an empty text.
        public let values: [JSValue]

        package let comparison: MobileMatcher
        /// The comparable values, prepared for comparisons.
        package var operands: [MobileOperand] { MobileOperand.list(of: .array(values), for: comparison) }
    }

    /// A question to the event history.
    public struct Historical: Sendable {
        /// How the listed events are counted.
        public enum SearchType: String, Sendable, Hashable {
            /// The sum of all occurrences.
            case any
            /// 1 if the events occurred in the listed order, otherwise 0.
            case ordered
            /// Index of the event that occurred last, or -1 if no event occurred.
            case mostRecent
        }

        /// The events to look for. Their members are literal, without tokens or special keys.
        public let events: [JSObject]
        /// How the events are counted.
        public let searchType: SearchType
        /// Start of the window in milliseconds since 1970, inclusive; `nil` means the beginning.
        public let from: Int64?
        /// End of the window in milliseconds since 1970, inclusive; `nil` means the time of evaluation.
        public let to: Int64?
        /// The matcher's name.
        public let matcher: String
        /// The value with which the count or index is compared. If a look-up fails, the count or index is -1.
        public let value: Int

        package let comparison: MobileMatcher
        package let fingerprints: [EventFingerprint]
    }
}
