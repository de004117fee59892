import ConvertECMAScript
import ConvertSwiftSDKCore

/// Names of what decided and is not in a line of a decision log, each once.
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

/// Leaves out the properties that a decision log is not to have.
///
/// A property is left out if its path, the names of the objects around it and its own with dots between, is one of the
/// names given or ends with a dot and one of them. So a name counts at any depth, and a path wherever it begins. What
/// is nested too deep to be looked at is left out too.
struct Redaction: Sendable {
    /// Lowercase names and paths.
    private let names: Set<[UInt8]>
    private let longest: Int

    init(_ names: Set<String>) {
        self.names = Set(names.map { Array($0.lowercased().utf8) })
        longest = self.names.map(\.count).max() ?? 0
    }

    /// The properties without those that are left out, whose paths are added to `withheld`.
    func applied(to properties: JSObject, withholding withheld: inout WithheldNames) -> JSObject {
        names.isEmpty ? properties : object(properties, at: Path(), &withheld)
    }

    /// Where a value stands.
    private struct Path {
        /// As lines name it.
        var text = ""
        /// Its lowercase end, as far as names can reach.
        var end: [UInt8] = []
        /// How many objects and arrays are around it.
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

    /// The value without what is left out; `nil` if it is nested too deep.
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
        // One byte more than names have, to see the dot before them.
        let text = outer.text.isEmpty ? name : "\(outer.text).\(name)"
        return Path(text: text, end: Array(end.suffix(longest + 1)), depth: outer.depth)
    }

    private func isRedacted(_ end: [UInt8]) -> Bool {
        if names.contains(end) { return true }
        return end.indices.contains { end[$0] == Self.dot && names.contains(Array(end[($0 + 1)...])) }
    }

    private static let dot = UInt8(ascii: ".")
}
