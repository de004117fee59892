package import ConvertECMAScript

extension VisitorState {
    /// Whether the record consists of exactly `segments`, so that storing them changes nothing. The reference does not
    /// merge in this case, so lists keep their duplicates.
    package func isOnlySegments(_ segments: JSObject) -> Bool {
        guard bucketing == nil, locationKeys == nil, goals == nil, let stored = self.segments else { return false }
        return JSValue.object(stored).isDeeplyEqual(to: .object(segments))
    }
}

extension JSValue {
    /// Values that are nested deeper count as different.
    private static var equalityDepthLimit: Int { 256 }

    /// The reference's comparison of records: by `===`, and member by member for arrays and objects, which are not
    /// distinguished.
    func isDeeplyEqual(to other: JSValue, depth: Int = 0) -> Bool {
        if isStrictlyEqual(to: other) { return true }
        guard depth < Self.equalityDepthLimit, let members = members, let others = other.members,
            members.count == others.count
        else { return false }
        return members.allSatisfy { member in
            others[member.key].map { member.value.isDeeplyEqual(to: $0, depth: depth + 1) } ?? false
        }
    }

    /// The members of an object, or the elements of an array under their indices; `nil` for any other value.
    var members: JSObject? {
        switch self {
        case .object(let object): object
        case .array(let elements): JSObject(elements.enumerated().map { (String($0.offset), $0.element) })
        default: nil
        }
    }
}
