/// Kinds of values that an attribute may have.
struct ValueKinds: OptionSet, Hashable {
    let rawValue: UInt8

    static let absent = ValueKinds(rawValue: 1)
    /// `null`, booleans, numbers and text.
    static let scalars = ValueKinds(rawValue: 2)
    /// Arrays and objects.
    static let containers = ValueKinds(rawValue: 4)
    /// Excludes text that contains `|`, because `isIn` reads such text as several values.
    static let unlisted = ValueKinds(rawValue: 8)

    static let all: ValueKinds = [.absent, .scalars, .containers]
    static let noContainers: ValueKinds = [.absent, .scalars]
    /// One value at a time.
    static let single: ValueKinds = [.absent, .scalars, .unlisted]
}
