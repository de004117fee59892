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

    /// The leaf that the dotted `name` leads to, as ``forEachLeaf(of:room:descend:_:)`` would meet it last, but only looking
    /// at what lies on the way. `nil` if there is none.
    static func leaf(_ name: PropertyKey, of data: JSObject) -> JSValue? {
        guard name.name.utf8.contains(dot) else { return data[name].flatMap(leafItself) }
        return leaf(Array(name.name.utf8)[...], of: .object(data), depth: 0)
    }

    private static func leaf(_ name: ArraySlice<UInt8>, of value: JSValue, depth: Int) -> JSValue? {
        guard depth < MobileRulesLimits.dataDepth else { return nil }
        switch value {
        case .object(let object):
            for index in members(of: object, leadingTo: name) {
                let member = object.members[index]
                let length = member.key.name.utf8.count
                let found =
                    length == name.count
                    ? leafItself(member.value) : leaf(name.dropFirst(length + 1), of: member.value, depth: depth + 1)
                if let found { return found }
            }
            return nil
        case .array(let elements):
            let end = name.firstIndex(of: dot)
            let text = String(decoding: name[..<(end ?? name.endIndex)], as: UTF8.self)
            guard let index = ECMAScript.arrayIndex(text), index < elements.count else { return nil }
            guard let end else { return leafItself(elements[Int(index)]) }
            return leaf(name[(end + 1)...], of: elements[Int(index)], depth: depth + 1)
        default:
            return nil
        }
    }

    /// Indexes of the members called `name`, or what stands before one of its dots; the last member first.
    private static func members(of object: JSObject, leadingTo name: ArraySlice<UInt8>) -> [Int] {
        let dots = name.indices.filter { name[$0] == dot }
        // Looking a part up costs its length, and names may consist of dots: whichever there are fewer of is gone through.
        guard object.count > dots.count else {
            return object.members.indices.reversed().filter { index in
                let key = object.members[index].key.name.utf8
                let end = name.startIndex + key.count
                return (end == name.endIndex || end < name.endIndex && name[end] == dot) && name.starts(with: key)
            }
        }
        let ends = dots + CollectionOfOne(name.endIndex)
        return ends.compactMap { object.index(of: PropertyKey(String(decoding: name[..<$0], as: UTF8.self))) }
            .sorted(by: >)
    }

    private static let dot = UInt8(ascii: ".")

    private static func leafItself(_ value: JSValue) -> JSValue? {
        switch value {
        case .null, .array, .object: nil
        default: value
        }
    }
}
