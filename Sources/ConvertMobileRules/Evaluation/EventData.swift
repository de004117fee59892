internal import ConvertECMAScript

/// An event's data as dotted names and leaves.
///
/// Names of objects are joined with dots, and array elements are named by their indexes from zero. Names are not
/// escaped. Null, and objects and arrays without leaves, produce nothing. If two paths have the same name, the later
/// path counts.
enum EventData {
    /// Calls `body` with the name and value of every leaf, members in order.
    ///
    /// - Parameters:
    ///   - room: how many values may be visited.
    ///   - descend: returns whether leaves below a name are needed. Values below other names are not visited.
    /// - Returns: `false` if leaves are missing, because the data is nested deeper than ``MobileRulesLimits/dataDepth``
    ///   or has more than `room` values.
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
        /// The number of values that may still be visited; 0 after the limit was exceeded.
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

    /// Whether `data` is within ``MobileRulesLimits/dataDepth`` and ``MobileRulesLimits/flattenedLength``. A flattened
    /// name repeats the names above it, so a small JSON document may have huge flattened names.
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

    /// The approximate size of `data` in bytes: its names and texts, and a constant for each value. The data must be
    /// within the limits.
    static func length(of data: JSObject) -> Int {
        data.reduce(0) { $0 + $1.key.name.utf8.count + length(of: $1.value) }
    }

    private static func length(of value: JSValue) -> Int {
        let own = MemoryLayout<JSObject.Member>.stride
        return switch value {
        case .null, .bool, .integer, .number: own
        case .string(let text): own + text.utf8.count
        case .illFormedString(let text): own + text.bytes.count
        case .array(let elements): elements.reduce(own) { $0 + length(of: $1) }
        case .object(let object): own + length(of: object)
        }
    }

    /// The leaf with the dotted `name`, or `nil` if there is no such leaf. Of several leaves the last counts, as with
    /// ``forEachLeaf(of:room:descend:_:)``. Reads only values on the path to the leaf.
    static func leaf(_ name: PropertyKey, of data: JSObject) -> JSValue? {
        // A name without a dot has a single path.
        guard name.name.utf8.contains(UInt8(ascii: ".")) else { return data[name].flatMap { $0.isLeaf ? $0 : nil } }
        return LeafLookup(name).leaf(of: data)
    }
}

extension JSValue {
    /// Whether the value is a leaf of flattened data.
    var isLeaf: Bool {
        switch self {
        case .null, .array, .object: false
        default: true
        }
    }
}
