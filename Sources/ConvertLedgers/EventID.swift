/// The name of one tracking event: no other event of any ledger that servers share has it.
///
/// Ids grow in the order in which a process tracked its events, and those of a later owner are above all earlier ones.
public struct EventID: Sendable, Hashable {
    /// The owner that tracked the event: a number from ``Ledger/begin()``, 1 or more.
    public let owner: UInt32
    /// The event's place among those of its owner, 1 or more.
    public let number: UInt32

    /// The id of an owner's event.
    public init(owner: UInt32, number: UInt32) {
        self.owner = owner
        self.number = number
    }

    /// The id in one integer, for a column of a database. It is positive as long as the owner's number is below 2^31.
    public var rawValue: Int64 { Int64(bitPattern: UInt64(owner) << 32 | UInt64(number)) }

    /// The id that ``rawValue`` came from.
    public init(rawValue: Int64) {
        let bits = UInt64(bitPattern: rawValue)
        self.init(owner: UInt32(bits >> 32), number: UInt32(truncatingIfNeeded: bits))
    }
}

extension EventID: Comparable {
    /// Whether the left event was tracked before the right one, or by an earlier owner.
    public static func < (left: EventID, right: EventID) -> Bool {
        (left.owner, left.number) < (right.owner, right.number)
    }
}

extension EventID: CustomStringConvertible {
    /// Owner and number, such as `3.17`.
    public var description: String { "\(owner).\(number)" }
}
