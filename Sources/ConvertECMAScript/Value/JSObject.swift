/// An object's members, in the order in which their keys were first set. Two keys are equal if their code units are
/// equal.
///
///     var attributes: JSObject = ["plan": "pro"]
///     attributes["visits"] = 12
///     attributes["plan"] = nil
///
/// A value type; safe to share between threads. Looking up a key takes constant time on average.
public struct JSObject: Sendable {
    /// One key and its value.
    public struct Member: Sendable, Equatable {
        /// The key, with its hash.
        public let key: PropertyKey
        /// The value.
        public internal(set) var value: JSValue
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// Slots of an open-addressing table over `members`, as index + 1; `nil` for few members.
    // Keep it optional: an empty array makes every copy of an object slower (W1).
    @usableFromInline var table: [UInt32]?

    /// Up to this many members are searched linearly, which is faster than a table.
    private static let linearLimit = 8

    /// Creates an object without members.
    public init() {
        members = []
        table = nil
    }

    /// Creates an object from `members`. If several members have the same key, the last value counts, in the place of
    /// the first member.
    public init(_ members: some Sequence<(String, JSValue)>) {
        self.init(capacity: members.underestimatedCount)
        for (key, value) in members { setMember(PropertyKey(key), to: value) }
    }

    /// Creates an object from `members`. If several members have the same key, the last value counts, in the place of
    /// the first member.
    init(_ members: consuming [Member]) {
        self.init(unique: [])
        if members.count <= Self.linearLimit, Self.haveDifferentHashes(members) {
            self.members = members
        } else {
            for member in members { setMember(member.key, to: member.value) }
        }
    }

    private static func haveDifferentHashes(_ members: [Member]) -> Bool {
        for index in members.indices {
            for earlier in 0..<index where members[earlier].key.hash == members[index].key.hash { return false }
        }
        return true
    }

    /// Creates an object from `members`, whose keys must be unique.
    init(unique members: [Member]) {
        self.members = members
        table = nil
        if members.count > Self.linearLimit { rebuildTable() }
    }

    /// Creates an object without members, with this capacity.
    init(capacity: Int) {
        self.init()
        members.reserveCapacity(capacity)
    }

    /// Number of members.
    @inlinable public var count: Int { members.count }

    /// Whether there are no members.
    @inlinable public var isEmpty: Bool { members.isEmpty }

    /// The value of `key`, or `nil` if there is no such member. Setting `nil` removes the member, in time linear to
    /// `count`.
    public subscript(key: String) -> JSValue? {
        get {
            key.withUTF8Bytes { index(of: $0, hash: PropertyKey.hash($0)) }.map { members[$0].value }
        }
        set { self[PropertyKey(key)] = newValue }
    }

    /// The value of `key`, or `nil` if there is no such member. Does not hash the name again. Setting `nil` removes the
    /// member, in time linear to `count`.
    public subscript(key: PropertyKey) -> JSValue? {
        get { index(of: key).map { members[$0].value } }
        set {
            if let newValue { return setMember(key, to: newValue) }
            guard let index = index(of: key) else { return }
            members.remove(at: index)
            rebuildTable()
        }
    }

    /// Sets the value of `key`.
    mutating func setMember(_ key: consuming PropertyKey, to value: consuming JSValue) {
        if let index = index(of: key) { return members[index].value = value }
        members.append(Member(key: key, value: value))
        if members.count > Self.linearLimit { insertLastIntoTable() }
    }

    /// Index of the member named `key`.
    package func index(of key: PropertyKey) -> Int? {
        index(hash: key.hash) { $0.hasSameCodeUnits(as: key.name) }
    }

    /// Index of the member with this name, given the name's hash.
    package func index(of name: ByteText, hash: UInt32) -> Int? {
        index(hash: hash) { other in other.withUTF8Bytes { $0 == name } }
    }

    @inline(__always)
    private func index(hash: UInt32, where isMatch: (String) -> Bool) -> Int? {
        guard let table else {
            return members.indices.first { members[$0].key.hash == hash && isMatch(members[$0].key.name) }
        }
        // The table has far fewer slots than `Int.max`, so `&+` never overflows.
        let mask = table.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while table[slot] != 0 {
            let index = Int(table[slot]) &- 1
            if members[index].key.hash == hash, isMatch(members[index].key.name) { return index }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    private mutating func insertLastIntoTable() {
        // At most three quarters of the slots are used, so that probing always reaches an empty slot.
        guard var slots = table.take(), members.count * 4 <= slots.count * 3 else { return rebuildTable() }
        enter(members.count - 1, in: &slots)
        table = slots
    }

    private mutating func rebuildTable() {
        guard members.count > Self.linearLimit else {
            table = nil
            return
        }
        var size = 32
        while size < members.count * 2 { size *= 2 }
        var slots = [UInt32](repeating: 0, count: size)
        for index in members.indices { enter(index, in: &slots) }
        table = slots
    }

    private func enter(_ index: Int, in slots: inout [UInt32]) {
        let mask = UInt32(truncatingIfNeeded: slots.count - 1)
        var slot = members[index].key.hash & mask
        while slots[Int(slot)] != 0 { slot = (slot + 1) & mask }
        slots[Int(slot)] = UInt32(truncatingIfNeeded: index + 1)
    }
}

extension JSObject: Sequence {
    /// Returns an iterator over the members, in order.
    public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSObject: Equatable {
    /// Whether both have the same keys with equal values, in any order.
    public static func == (left: JSObject, right: JSObject) -> Bool {
        JSValue.object(left) == JSValue.object(right)
    }
}

extension JSObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from the members. If several members have the same key, the last value counts.
    public init(dictionaryLiteral members: (String, JSValue)...) { self.init(members) }
}
