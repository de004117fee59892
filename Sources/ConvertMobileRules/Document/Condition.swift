public import ConvertECMAScript
package import ConvertValues

/// What must hold for a rule to match.
public enum Condition: Sendable {
    /// All or any of the members.
    case group(Group)
    /// One value of the event, or of a shared state, compared with others.
    case matcher(Matcher)
    /// What the event history says.
    indirect case historical(Historical)
    /// A condition that cannot be understood, and why. ``MobileRulesSemantics`` says what follows.
    case unusable(String)

    /// How a group's members count.
    public enum Logic: Sendable, Hashable {
        /// All members must hold.
        case and
        /// One member must hold.
        case or
        /// A logic that does not exist; the group never holds.
        case unknown(String)
    }

    /// Conditions under a logic.
    public struct Group: Sendable {
        /// How the members count.
        public let logic: Logic
        /// The members, in order, those that cannot be understood included.
        public let conditions: [Condition]
    }

    /// A comparison of the value behind a key.
    public struct Matcher: Sendable {
        /// The key as it is written: of the flattened event, or a special one that begins with `~`.
        public let key: String
        /// The matcher's name: `eq`, `ne`, `ex`, `nx`, `gt`, `ge`, `lt`, `le`, `co`, `nc`, `sw` or `ew`.
        public let matcher: String
        /// The rule's values as they are written; empty if there are none. Then the event's value is compared with an empty
        /// text.
        public let values: [JSValue]

        package let comparison: MobileMatcher
        /// The values that can be compared with, made ready.
        package var operands: [MobileOperand] { MobileOperand.list(of: .array(values), for: comparison) }
    }

    /// A question to the event history.
    public struct Historical: Sendable {
        /// How the listed events count.
        public enum SearchType: String, Sendable, Hashable {
            /// The sum of all occurrences.
            case any
            /// 1 if they occurred in the listed order, else 0.
            case ordered
            /// Index of the one that occurred last, or -1 if none did.
            case mostRecent
        }

        /// The events looked for: their members, literally, without tokens or special keys.
        public let events: [JSObject]
        /// How they count.
        public let searchType: SearchType
        /// Start of the window in milliseconds since 1970, included; `nil` is the beginning.
        public let from: Int64?
        /// End of the window in milliseconds since 1970, included; `nil` is the moment of evaluation.
        public let to: Int64?
        /// The matcher's name.
        public let matcher: String
        /// What the count or index is compared with. If a look-up fails, it is compared with -1 in their place.
        public let value: Int

        package let comparison: MobileMatcher
        package let fingerprints: [EventFingerprint]
    }
}
