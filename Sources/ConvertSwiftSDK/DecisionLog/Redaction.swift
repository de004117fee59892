import ConvertECMAScript
import ConvertSwiftSDKCore

/// The names of data that an answer depended on and that its line omits, without duplicates.
struct WithheldNames {
    private(set) var names: [String]
    private var known: Set<PropertyKey>

    init(_ names: [String]) {
        self.names = names
        known = Set(names.map { PropertyKey($0) })
    }

    mutating func add(_ name: String) {
        if known.insert(PropertyKey(name)).inserted { names.append(name) }
    }
}

/// Removes the properties that a decision log must not contain.
///
/// A property's path is the names of the objects around it and its own name, joined by dots. The property is removed if
/// its path equals one of the names or ends with a dot and one of them. So a name matches at any depth, and a path
/// matches wherever it begins. Values that are nested too deep are removed too.
struct Redaction: Sendable {
    /// Lowercase names and paths.
    private let names: Set<[UInt8]>
    private let longest: Int

    init(_ names: Set<String>) {
        self.names = Set(names.map { Array($0.lowercased().utf8) })
        longest = self.names.map(\.count).max() ?? 0
    }

    /// The properties without the removed ones, whose paths are added to `withheld`.
    func applied(to properties: JSObject, withholding withheld: inout WithheldNames) -> JSObject {
        names.isEmpty ? properties : object(properties, at: Path(), &withheld)
    }

    /// The position of a value.
    private struct Path {
        /// The path, as lines name it.
        var text = ""
        /// The end of the path in lowercase, as long as needed for comparing with names.
        var end: [UInt8] = []
        /// The number of objects and arrays around the value.
        var depth = 0
    }

    private func object(_ object: JSObject, at path: Path, _ withheld: inout WithheldNames) -> JSObject {
        var visible = JSObject()
        for member in object {
            let inner = self.path(of: member.key.name, in: path)
            if isRedacted(inner.end) {
                withheld.add(inner.text)
            } else {
                visible[member.key] = value(member.value, at: inner, &withheld)
            }
        }
        return visible
    }

    /// The value without removed properties; `nil` if it is nested too deep.
    private func value(_ value: JSValue, at path: Path, _ withheld: inout WithheldNames) -> JSValue? {
        var inner = path
        inner.depth += 1
        switch value {
        case .object where path.depth >= ConfigLimits.depth, .array where path.depth >= ConfigLimits.depth:
            withheld.add(path.text)
            return nil
        case .object(let members): return .object(object(members, at: inner, &withheld))
        case .array(let elements):
            return .array(elements.map { self.value($0, at: inner, &withheld) ?? .null })
        default: return value
        }
    }

    private func path(of name: String, in outer: Path) -> Path {
        let end = (outer.text.isEmpty ? [] : outer.end + [Self.dot]) + Array(name.lowercased().utf8)
        // One byte longer than the longest name, to include the dot before it.
        let text = outer.text.isEmpty ? name : "\(outer.text).\(name)"
        return Path(text: text, end: Array(end.suffix(longest + 1)), depth: outer.depth)
    }

    private func isRedacted(_ end: [UInt8]) -> Bool {
        if names.contains(end) { return true }
        return end.indices.contains { end[$0] == Self.dot && names.contains(Array(end[($0 + 1)...])) }
    }

    private static let dot = UInt8(ascii: ".")
}
