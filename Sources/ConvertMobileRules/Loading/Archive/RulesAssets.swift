internal import ConvertECMAScript
public import Foundation

/// The entries of a rules archive besides `rules.json`. Consequences use them, for example an in-app message's HTML.
public struct RulesAssets: Sendable, Equatable {
    /// No assets.
    public static let none = RulesAssets([:])

    /// Contents by path within the archive.
    public let entries: [String: Data]

    private let pathsByName: [String: String]

    /// Creates assets from their contents, by path.
    public init(_ entries: [String: Data]) {
        self.entries = entries
        // A consequence names the file without its folder. If files have the same name, the first path counts.
        pathsByName = Dictionary(
            entries.keys.sorted().map { path in
                // Compared as bytes, because a slash followed by a combining mark is a different character.
                (path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "", path)
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// The contents of the entry at the path `name`, or else of a file with that name in any folder; `nil` if there is
    /// no such entry.
    public subscript(name: String) -> Data? { entries[name] ?? pathsByName[name].flatMap { entries[$0] } }

    /// The assets whose names occur as texts in a detail, by these names.
    func named(in detail: JSObject) -> [String: Data] {
        if entries.isEmpty { return [:] }
        var found: [String: Data] = [:]
        collect(.object(detail), into: &found)
        return found
    }

    private func collect(_ value: JSValue, into found: inout [String: Data]) {
        switch value {
        case .string(let name): if let asset = self[name] { found[name] = asset }
        case .array(let elements): for element in elements { collect(element, into: &found) }
        case .object(let object): for member in object { collect(member.value, into: &found) }
        case .null, .bool, .integer, .number, .illFormedString: break
        }
    }
}
