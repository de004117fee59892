/// The properties of code points that `\p` accepts (ECMA-262, 22.2.1.6, tables 67 to 69).
enum UnicodeProperties {
    /// The numbers of the sets, by all of their names.
    private static let numbers: [String: Int] = {
        var result: [String: Int] = [:]
        for (number, names) in UnicodeTables.propertyNames.enumerated() {
            for name in names.split(separator: " ") { result[String(name)] = number }
        }
        return result
    }()

    /// The code points that can begin a group name. ``identifierContinue`` has the code points that can follow.
    static let identifierStart = set("ID_Start") ?? .empty
    static let identifierContinue = set("ID_Continue") ?? .empty

    /// The set of `\p{name=value}`, or of `\p{name}` if `value` is `nil`; `nil` for an unknown property.
    static func set(_ name: String, value: String?) -> CodePointSet? {
        guard let value else { return set("gc=" + name) ?? set(name) }
        switch name {
        case "General_Category", "gc": return set("gc=" + value)
        case "Script", "sc": return set("sc=" + value)
        case "Script_Extensions", "scx": return set("scx=" + value)
        default: return nil
        }
    }

    private static func set(_ key: String) -> CodePointSet? {
        guard let number = numbers[key] else { return nil }
        let starts = UnicodeTables.propertyStarts
        return CodePointSet(bounds: Array(UnicodeTables.propertyBounds[Int(starts[number])..<Int(starts[number + 1])]))
    }

    /// The members of a property of strings (table 70), or `nil` if `name` is not such a property.
    static func strings(_ name: String) -> [[UInt32]]? {
        let points = name == "Basic_Emoji" || name == "RGI_Emoji" ? UnicodeTables.basicEmojiPoints.map { [$0] } : []
        if name == "RGI_Emoji" { return points + texts(from: 0, to: UnicodeTables.sequencePropertyMembers.count) }
        guard let index = UnicodeTables.sequencePropertyNames.firstIndex(of: name) else { return nil }
        let starts = UnicodeTables.sequencePropertyStarts
        return points + texts(from: Int(starts[index]), to: Int(starts[index + 1]))
    }

    private static func texts(from start: Int, to end: Int) -> [[UInt32]] {
        let members = UnicodeTables.sequencePropertyMembers
        var result: [[UInt32]] = []
        var index = start
        while index < end {
            let next = index + 1 + Int(members[index])
            result.append(Array(members[index + 1..<next]))
            index = next
        }
        return result
    }
}
