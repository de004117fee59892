internal import ConvertECMAScript

/// The value that a key of a matcher or a token refers to.
enum KeyReference: Hashable, Sendable {
    /// A leaf of the event's data, by its flattened name.
    case data(PropertyKey)
    case type, source
    /// A leaf of the shared state `name`.
    case state(name: PropertyKey, key: PropertyKey)
    case timestampSeconds, timestampLocal, timestampUTC
    case sdkVersion
    case cacheBuster
    case allAsURL, allAsJSON
    /// A malformed special key, or a key that is too long. Such a key never has a value.
    case nothing

    /// Whether the key refers to a leaf of the event's data.
    var isData: Bool {
        if case .data = self { true } else { false }
    }

    private static let statePrefix = "~state."

    init(_ key: String) {
        guard key.utf8.count <= MobileRulesLimits.keyLength else {
            self = .nothing
            return
        }
        guard key.utf8.first == UInt8(ascii: "~") else {
            self = .data(PropertyKey(key))
            return
        }
        switch key {
        case "~type": self = .type
        case "~source": self = .source
        case "~timestampu": self = .timestampSeconds
        case "~timestampz": self = .timestampLocal
        case "~timestampp": self = .timestampUTC
        case "~sdkver": self = .sdkVersion
        case "~cachebust": self = .cacheBuster
        case "~all_url": self = .allAsURL
        case "~all_json": self = .allAsJSON
        default: self = Self.state(key) ?? .data(PropertyKey(key))
        }
    }

    private static func state(_ key: String) -> KeyReference? {
        guard key.utf8.starts(with: statePrefix.utf8) else { return nil }
        let path = key.utf8.dropFirst(statePrefix.utf8.count)
        guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else { return .nothing }
        let name = Substring(path[..<slash])
        let member = Substring(path[path.index(after: slash)...])
        return name.isEmpty || member.isEmpty
            ? .nothing : .state(name: PropertyKey(String(name)), key: PropertyKey(String(member)))
    }
}
