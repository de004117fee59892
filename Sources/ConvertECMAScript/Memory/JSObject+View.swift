extension JSObject {
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
        @inlinable @inline(__always)
        package func value(named key: String) -> JSValue? {
            if let member = memberAlike(key) { return member.pointee.value }
            return valueLookedUp(named: key)
        }

        /// Of so few members all names are looked at before a name is hashed, which takes longer (W6).
        @inlinable static var scannedCount: Int { 16 }

        /// The member of few whose name is the same bits as `key`.
        @inlinable @inline(__always)
        func memberAlike(_ key: String) -> UnsafePointer<Member>? {
            guard members.count <= Self.scannedCount, var member = members.baseAddress else { return nil }
            var left = members.count
            while left != 0 {
                if let name = member.pointer(to: \.key)?.pointer(to: \.name), String.isRepresentedAlike(key, name),
                    !member.pointee.key.isIllFormed
                {
                    return member
                }
                member += 1
                left &-= 1
            }
            return nil
        }

        // Apart: it takes the name's address, which is guarded on the stack.
        @usableFromInline @inline(never)
        func valueLookedUp(named key: String) -> JSValue? {
            withUnsafePointer(to: key) { index(ofNameAt: $0, hash: PropertyKey.hash(of: key)) }
                .map { members[$0].value }
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

    /// Ends the object at `place`. Few objects have a table, and a release of nothing is a call, too (W1).
    ///
    /// Invariant: `members` and `table` are all that an object holds.
    @inlinable @inline(__always)
    package static func deinitialize(at place: UnsafeMutablePointer<JSObject>) {
        if place.pointee.table == nil, let members = place.pointer(to: \.members) {
            // Moved, because to deinitialize it asks what an array is.
            _ = UnsafeMutablePointer(mutating: members).move()
        } else {
            place.deinitialize(count: 1)
        }
    }

    /// Passes the members to `body` where they lie.
    @inlinable @inline(__always)
    package borrowing func withMembers<Result>(_ body: (UnsafeBufferPointer<Member>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }
}
