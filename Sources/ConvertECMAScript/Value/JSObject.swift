/// An object's members, in the order in which their keys were first set. Two keys are equal if their code units are.
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

    /// Slots of an open-addressing table over `members`, as index + 1; `nil` while a linear scan is as fast.
    // Not an empty one, whose references would be counted wherever an object is held (W1).
    @usableFromInline var table: [UInt32]?

    /// Up to this many members are searched one by one, which beats a table on such short lists.
    private static let linearLimit = 8

    /// An object without members.
    public init() {
        members = []
        table = nil
    }

    /// An object of `members`; of members with the same key the last value counts, at the first one's place.
    public init(_ members: some Sequence<(String, JSValue)>) {
        self.init()
        self.members.reserveCapacity(members.underestimatedCount)
        for (key, value) in members { self[PropertyKey(key)] = value }
    }

    /// An object of `members`, whose keys must differ.
    init(unique members: [Member]) {
        self.members = members
        table = nil
        if members.count > Self.linearLimit { rebuildTable() }
    }

    /// Number of members.
    @inlinable public var count: Int { members.count }

    /// Whether there are no members.
    @inlinable public var isEmpty: Bool { members.isEmpty }

    /// The value of `key`, or `nil` if there is none. Setting `nil` removes the member, in time linear to `count`.
    public subscript(key: String) -> JSValue? {
        get { index(named: key, hash: PropertyKey.hash(of: key)).map { members[$0].value } }
        set { self[PropertyKey(key)] = newValue }
    }

    /// As the subscript by name, without hashing it again.
    public subscript(key: PropertyKey) -> JSValue? {
        get { index(of: key).map { members[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?):
                members[index].value = value
            case (let index?, nil):
                members.remove(at: index)
                rebuildTable()
            case (nil, let value?):
                members.append(Member(key: key, value: value))
                insertLastIntoTable()
            case (nil, nil):
                break
            }
        }
    }

    /// An object as bare memory, in which looking a key up counts no references.
    ///
    /// Unchecked because it points to memory, which nobody writes. Invariant: it is used only inside the ``withView(_:)`` call
    /// that it comes from, or as long as its user holds the object and changes nothing in it, since its arrays stay where
    /// they are until then.
    @usableFromInline package struct View: BitwiseCopyable, @unchecked Sendable {
        /// The members, in order.
        @usableFromInline package let members: UnsafeBufferPointer<Member>
        @usableFromInline let table: UnsafeBufferPointer<UInt32>

        @inlinable init(_ members: UnsafeBufferPointer<Member>, _ table: UnsafeBufferPointer<UInt32>) {
            self.members = members
            self.table = table
        }

        /// Index of the member whose key is at `key`.
        @inlinable @inline(__always)
        package func index(ofKeyAt key: UnsafePointer<PropertyKey>) -> Int? {
            key.pointer(to: \.name).flatMap { index(ofNameAt: $0, hash: key.pointee.hash) }
        }

        /// What comes of a look-up by the bits of a name.
        @usableFromInline package enum Place {
            case member(Int)
            case none
            /// There is a name with the same hash in other bits.
            case unsure
        }

        /// Where the member is whose name has this hash and these bits.
        @inlinable @inline(__always)
        package func place(ofNameIn bits: StringBits, hash: UInt32) -> Place {
            guard let first = members.baseAddress else { return .none }
            func isMember(_ index: Int) -> Bool {
                (first + index).pointer(to: \.key)?.pointer(to: \.name).map { StringBits(at: $0).match(bits) } ?? false
            }
            if table.isEmpty {
                var index = 0
                while index < members.count {
                    if (first + index).pointee.key.hash == hash { return isMember(index) ? .member(index) : .unsure }
                    index &+= 1
                }
                return .none
            }
            let mask = table.count &- 1
            var slot = Int(truncatingIfNeeded: hash) & mask
            while table[slot] != 0 {
                let index = Int(table[slot]) &- 1
                if (first + index).pointee.key.hash == hash { return isMember(index) ? .member(index) : .unsure }
                slot = (slot &+ 1) & mask
            }
            return .none
        }

        /// The value of `key`, or `nil` if there is none.
        package func value(named key: String) -> JSValue? {
            if let member = memberAlike(key) { return member.pointee.value }
            return index(named: key).map { members[$0].value }
        }

        /// Of so few members all names are looked at before a name is hashed, which takes longer (W6).
        private static let scannedCount = 16

        /// The member of few whose name is the same bits as `key`.
        @inline(__always)
        private func memberAlike(_ key: String) -> UnsafePointer<Member>? {
            guard members.count <= Self.scannedCount, var member = members.baseAddress else { return nil }
            let end = member + members.count
            while member < end {
                if let name = member.pointer(to: \.key)?.pointer(to: \.name), String.isRepresentedAlike(key, name) {
                    return member
                }
                member += 1
            }
            return nil
        }

        // Apart: it takes the name's address, which is guarded on the stack.
        @inline(never)
        private func index(named key: String) -> Int? {
            withUnsafePointer(to: key) { index(ofNameAt: $0, hash: PropertyKey.hash(of: key)) }
        }

        @inlinable @inline(__always)
        func index(ofNameAt name: UnsafePointer<String>, hash: UInt32) -> Int? {
            guard let first = members.baseAddress else { return nil }
            func isNamed(_ index: Int) -> Bool {
                guard (first + index).pointee.key.hash == hash,
                    let other = (first + index).pointer(to: \.key)?.pointer(to: \.name)
                else { return false }
                return String.haveSameCodeUnits(name, other)
            }
            if table.isEmpty { return members.indices.first(where: isNamed) }
            let mask = table.count &- 1
            var slot = Int(truncatingIfNeeded: hash) & mask
            while table[slot] != 0 {
                let index = Int(table[slot]) &- 1
                if isNamed(index) { return index }
                slot = (slot &+ 1) & mask
            }
            return nil
        }
    }

    /// Passes the object to `body` as bare memory.
    @inlinable @inline(__always)
    package borrowing func withView<Result>(_ body: (View) -> Result) -> Result {
        members.withUnsafeBufferPointer { members in
            guard let table else { return body(View(members, UnsafeBufferPointer(start: nil, count: 0))) }
            return table.withUnsafeBufferPointer { table in body(View(members, table)) }
        }
    }

    /// Passes the members to `body` where they lie.
    @inlinable @inline(__always)
    package borrowing func withMembers<Result>(_ body: (UnsafeBufferPointer<Member>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }

    /// Index of the member named `key`.
    package func index(of key: PropertyKey) -> Int? { index(named: key.name, hash: key.hash) }

    private func index(named name: String, hash: UInt32) -> Int? {
        withUnsafePointer(to: name) { name in withView { $0.index(ofNameAt: name, hash: hash) } }
    }

    private mutating func insertLastIntoTable() {
        // At most three quarters full, so that probing always meets an empty slot.
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
    /// Iterates over the members in order.
    public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSObject: Equatable {
    /// Whether both have the same keys with equal values, in whatever order.
    public static func == (left: JSObject, right: JSObject) -> Bool {
        JSValue.object(left) == JSValue.object(right)
    }
}

extension JSObject: ExpressibleByDictionaryLiteral {
    /// An object of the members; of members with the same key the last one counts.
    public init(dictionaryLiteral members: (String, JSValue)...) { self.init(members) }
}
