extension JSValue: Hashable {
    /// Containers at a greater depth add only their number of members to a hash, so that hashing takes little stack.
    private static var hashedDepth: Int { 16 }

    /// Hashes the value consistently with ``==(_:_:)``.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

    fileprivate func hash(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let flag): hasher.combine(flag)
        // NaN equals itself, regardless of its bits.
        case .integer(let integer): hasher.combine(Double(integer))
        case .number(let number): hasher.combine(number.isNaN ? .nan : number)
        case .string(let text): hasher.combine(PropertyKey(text))
        case .illFormedString(let text): hasher.combine(PropertyKey(text))
        case .array(let elements):
            hasher.combine(elements.count)
            if depth < Self.hashedDepth { for element in elements { element.hash(into: &hasher, depth: depth + 1) } }
        case .object(let object):
            hasher.combine(object.count)
            if depth < Self.hashedDepth { hasher.combine(object.sumOfHashes(depth: depth + 1)) }
        }
    }
}

extension JSObject: Hashable {
    /// Hashes the members, independent of their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(JSValue.object(self)) }

    fileprivate func sumOfHashes(depth: Int) -> Int {
        reduce(0) { sum, member in
            var hasher = Hasher()
            hasher.combine(member.key)
            member.value.hash(into: &hasher, depth: depth)
            return sum &+ hasher.finalize()
        }
    }
}
