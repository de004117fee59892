/// The unique id of a tracking event, in all ledgers and on all servers that share one.
///
/// Ids grow in the order in which a process tracks its events. The ids of a later owner are greater than all ids of
/// earlier owners.
public struct EventID: Sendable, Hashable {
    /// The owner that tracked the event: a number from ``Ledger/begin()``, 1 or more.
    public let owner: UInt32
    /// The event's position among the events of its owner, 1 or more.
    public let number: UInt32

    /// Creates the id of an owner's event.
    public init(owner: UInt32, number: UInt32) {
        self.owner = owner
        self.number = number
    }

    /// The id as one integer, for a database column. It is positive if the owner's number is below 2^31.
    public var rawValue: Int64 { Int64(bitPattern: UInt64(owner) << 32 | UInt64(number)) }

    /// Creates the id with this ``rawValue``.
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
    /// The owner and the number, such as `3.17`.
    public var description: String { "\(owner).\(number)" }
}
