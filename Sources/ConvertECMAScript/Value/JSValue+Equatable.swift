extension JSValue: Equatable {
    /// Whether both values are equal, member by member. Numbers, including NaN, are compared by SameValueZero. Nesting
    /// takes memory, but no call stack.
    public static func == (left: JSValue, right: JSValue) -> Bool {
        guard let isEqual = isEqualIfScalar(left, right) else {
            var pending = [(left, right)]
            while let (left, right) = pending.popLast() {
                guard haveEqualContents(left, right, &pending) else { return false }
            }
            return true
        }
        return isEqual
    }

    /// Whether both scalars are equal, or `nil` if both are arrays or both are objects.
    private static func isEqualIfScalar(_ left: JSValue, _ right: JSValue) -> Bool? {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.integer(let left), .integer(let right)): return Double(left) == Double(right)
        case (.string(let left), .string(let right)): return left.hasSameCodeUnits(as: right)
        case (.illFormedString(let left), .illFormedString(let right)): return left == right
        case (.array, .array), (.object, .object): return nil
        default:
            guard let left = left.numberValue, let right = right.numberValue else { return false }
            return left == right || (left.isNaN && right.isNaN)
        }
    }

    /// Whether two containers are equal, apart from pairs of containers in them, which are added to `pending`.
    private static func haveEqualContents(
        _ left: JSValue, _ right: JSValue, _ pending: inout [(JSValue, JSValue)]
    ) -> Bool {
        func areEqual(_ left: JSValue, _ right: JSValue) -> Bool {
            if let isEqual = isEqualIfScalar(left, right) { return isEqual }
            pending.append((left, right))
            return true
        }
        switch (left, right) {
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(areEqual)
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.members.allSatisfy { member in
                    right[member.key].map { areEqual(member.value, $0) } ?? false
                }
        default:
            return false
        }
    }
}
