internal import ConvertECMAScript

/// An event's data seen as dotted names and leaves.
///
/// Objects join names with dots, arrays with indexes from zero; names are not escaped. Null, and an object or array without
/// leaves, leave nothing. If two paths give one name, the one met last counts.
enum EventData {
    /// Calls `body` with every leaf, members in order.
    ///
    /// - Parameters:
    ///   - room: how many values may be looked at.
    ///   - descend: whether leaves below this name are wanted; keeps what no rule names from being walked.
    /// - Returns: `false` if leaves are missing: the data is nested deeper than ``MobileRulesLimits/dataDepth``, or there was
    ///   not enough room.
    static func forEachLeaf(
        of data: JSObject, room: Int = .max, descend: (PropertyKey) -> Bool, _ body: (PropertyKey, JSValue) -> Void
    ) -> Bool {
        var progress = Progress(room: room)
        for member in data {
            walk(member.value, member.key, depth: 1, descend, body, &progress)
            if progress.room <= 0 { break }
        }
        return progress.isComplete && progress.room > 0
    }

    private struct Progress {
        /// Values that may still be looked at; 0 once there were too many.
        var room: Int
        var isComplete = true
    }

    private static func walk(
        _ value: JSValue, _ name: PropertyKey, depth: Int, _ descend: (PropertyKey) -> Bool,
        _ body: (PropertyKey, JSValue) -> Void, _ progress: inout Progress
    ) {
        progress.room -= 1
        guard progress.room > 0 else { return }
        switch value {
        case .null:
            return
        case .object, .array:
            guard depth < MobileRulesLimits.dataDepth else {
                progress.isComplete = false
                return
            }
            guard descend(name) else { return }
        default:
            return body(name, value)
        }
        if case .object(let object) = value {
            for member in object {
                if progress.room <= 0 { return }
                let path = PropertyKey("\(name.name).\(member.key.name)")
                walk(member.value, path, depth: depth + 1, descend, body, &progress)
            }
        } else if case .array(let elements) = value {
            for (index, element) in elements.enumerated() {
                if progress.room <= 0 { return }
                walk(element, PropertyKey("\(name.name).\(index)"), depth: depth + 1, descend, body, &progress)
            }
        }
    }

    /// Whether `data` keeps to ``MobileRulesLimits/dataDepth`` and ``MobileRulesLimits/flattenedLength``: names repeat those
    /// above them, so what is small as JSON may be huge when it is flattened.
    static func isWithinLimits(_ data: JSObject) -> Bool {
        var room = MobileRulesLimits.flattenedLength
        return data.allSatisfy {
            fits($0.value, depth: MobileRulesLimits.dataDepth - 1, nameLength: $0.key.name.utf8.count, &room)
        }
    }

    private static func fits(_ value: JSValue, depth: Int, nameLength: Int, _ room: inout Int) -> Bool {
        room -= nameLength
        guard room >= 0 else { return false }
        switch value {
        case .object(let object):
            return depth > 0
                && object.allSatisfy {
                    fits($0.value, depth: depth - 1, nameLength: nameLength + 1 + $0.key.name.utf8.count, &room)
                }
        case .array(let elements):
            let indexLength = String(elements.count).utf8.count
            return depth > 0
                && elements.allSatisfy { fits($0, depth: depth - 1, nameLength: nameLength + 1 + indexLength, &room) }
        default:
            return true
        }
    }

    /// About how many bytes `data` holds, which must be within limits: those of names and texts, and some for each value.
    static func length(of data: JSObject) -> Int {
        data.reduce(0) { $0 + $1.key.name.utf8.count + length(of: $1.value) }
    }

    private static func length(of value: JSValue) -> Int {
        let own = MemoryLayout<JSObject.Member>.stride
        return switch value {
        case .null, .bool, .integer, .number: own
        case .string(let text): own + text.utf8.count
        case .array(let elements): elements.reduce(own) { $0 + length(of: $1) }
        case .object(let object): own + length(of: object)
        }
    }

    /// The leaf that the dotted `name` leads to, without flattening everything: a member of the whole name, else one that
    /// some of its dots lead to. `nil` if there is none.
    static func leaf(_ name: PropertyKey, of data: JSObject) -> JSValue? {
        if let found = data[name], let leaf = leafItself(found) { return leaf }
        return name.name.utf8.contains(UInt8(ascii: ".")) ? leaf(name.name[...], of: .object(data), depth: 0) : nil
    }

    private static func leaf(_ name: Substring, of value: JSValue, depth: Int) -> JSValue? {
        guard depth < MobileRulesLimits.dataDepth else { return nil }
        switch value {
        case .object(let object):
            if let found = object[String(name)], let leaf = leafItself(found) { return leaf }
            // By bytes: a combining mark behind a dot makes both one character.
            for dot in name.utf8.indices where name.utf8[dot] == UInt8(ascii: ".") {
                guard let inner = object[String(name[..<dot])] else { continue }
                let rest = name[name.utf8.index(after: dot)...]
                if let leaf = leaf(rest, of: inner, depth: depth + 1) { return leaf }
            }
            return nil
        case .array(let elements):
            let dot = name.utf8.firstIndex(of: UInt8(ascii: "."))
            guard let index = ECMAScript.arrayIndex(String(name[..<(dot ?? name.endIndex)])), index < elements.count
            else { return nil }
            guard let dot else { return leafItself(elements[Int(index)]) }
            return leaf(name[name.utf8.index(after: dot)...], of: elements[Int(index)], depth: depth + 1)
        default:
            return nil
        }
    }

    private static func leafItself(_ value: JSValue) -> JSValue? {
        switch value {
        case .null, .array, .object: nil
        default: value
        }
    }
}
