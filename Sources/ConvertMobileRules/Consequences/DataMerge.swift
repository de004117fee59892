internal import ConvertECMAScript

/// How `add` and `mod` bring their payload into an event's data, for a bounded number of values.
struct DataMerge {
    /// Whether the payload's values win (`mod`) or the event's (`add`).
    let overwrites: Bool
    /// Values that may still be looked at or made; negative once they were too few. Each level of `[*]` multiplies by the
    /// members of an array, so that a payload's length says nothing about what it comes to.
    private(set) var room: Int

    private static let wildcard = "[*]"
    /// Values that are copied without being looked at, for the price of one that is.
    private static let copiedPerValue = 64

    init(overwrites: Bool, room: Int) {
        self.overwrites = overwrites
        self.room = room
    }

    /// The event's `data` with `payload` merged into it, or `nil` if there is not enough room.
    ///
    /// Objects are merged member by member, arrays joined. `name[*]` is merged into every object of the array `name`, then
    /// disappears, as do members that are null.
    ///
    /// - Parameter isClean: whether the data came out of a merge, and so has no nulls and wildcards of its own left: then
    ///   only what the payload names is looked at.
    mutating func merge(_ payload: JSObject, into data: JSObject, isClean: Bool) -> JSObject? {
        let merged = merged(payload, into: data, isClean: isClean)
        return room < 0 ? nil : merged
    }

    private mutating func merged(_ payload: JSObject, into data: JSObject, isClean: Bool) -> JSObject {
        if isClean { return merged(payload, intoClean: data) }
        guard takeRoom(data.count + payload.count) else { return data }
        var result = JSObject()
        var hasWildcards = false
        for member in data {
            let payload = payload[member.key]
            if payload == nil, isWildcard(member.key) {
                result[member.key] = member.value
            } else if let value = merged(payload, into: member.value, isClean: false) {
                result[member.key] = value
            }
            hasWildcards = hasWildcards || isWildcard(member.key)
        }
        for member in payload where data[member.key] == nil {
            // What a wildcard brings stays as it is until it meets the array's members: its nulls may remove something there.
            let isWildcard = isWildcard(member.key)
            if let value = isWildcard ? member.value : taken(member.value) { result[member.key] = value }
            hasWildcards = hasWildcards || isWildcard
        }
        return hasWildcards ? applyingWildcards(result) : result
    }

    /// As for any data, but only what the payload names is looked at: there is nothing else to remove.
    private mutating func merged(_ payload: JSObject, intoClean data: JSObject) -> JSObject {
        guard takeRoom(payload.count + data.count / Self.copiedPerValue) else { return data }
        var result = data
        var removed: Set<PropertyKey> = []
        for member in payload where !isWildcard(member.key) {
            if let value = result[member.key] {
                if let value = merged(member.value, into: value, isClean: true) {
                    result[member.key] = value
                } else {
                    removed.insert(member.key)
                }
            } else if let value = taken(member.value) {
                result[member.key] = value
            }
        }
        for member in payload where isWildcard(member.key) { apply(member, to: &result) }
        if removed.isEmpty { return result }
        // One by one would take time quadratic in their number.
        var kept = JSObject()
        for member in result where !removed.contains(member.key) { kept[member.key] = member.value }
        return kept
    }

    private mutating func merged(_ payload: JSValue?, into value: JSValue, isClean: Bool) -> JSValue? {
        switch (value, payload) {
        case (_, nil): return isClean ? value : kept(value)
        case (.object(let object), .object(let payload)?):
            return .object(merged(payload, into: object, isClean: isClean))
        case (.array(let elements), .array(let payload)?):
            count(payload)
            let copied = isClean ? elements.count / Self.copiedPerValue : elements.count
            return takeRoom(copied) ? .array(elements + payload) : value
        case (_, let payload?): return overwrites ? taken(payload) : isClean ? value : kept(value)
        }
    }

    /// A value that only the event has: objects lose their nulls and wildcards all the same.
    private mutating func kept(_ value: JSValue) -> JSValue? {
        switch value {
        case .null: nil
        case .object(let object): .object(merged(JSObject(), into: object, isClean: false))
        default: value
        }
    }

    /// A value that only the payload has.
    private mutating func taken(_ value: JSValue) -> JSValue? {
        switch value {
        case .null: return nil
        case .object(let object): return .object(merged(object, into: JSObject(), isClean: true))
        case .array(let elements): count(elements)
        default: break
        }
        return value
    }

    /// Counts everything in an array that is taken as it is. It shares its memory with the payload, but the event's data
    /// is walked as a whole later on.
    private mutating func count(_ elements: [JSValue]) {
        guard takeRoom(elements.count) else { return }
        for element in elements { count(element) }
    }

    private mutating func count(_ value: JSValue) {
        switch value {
        case .array(let elements): count(elements)
        case .object(let object):
            guard takeRoom(object.count) else { return }
            for member in object { count(member.value) }
        default: break
        }
    }

    private mutating func takeRoom(_ values: Int) -> Bool {
        if room >= 0 { room -= values }
        return room >= 0
    }

    private func isWildcard(_ key: PropertyKey) -> Bool {
        key.name.utf8.suffix(Self.wildcard.utf8.count).elementsEqual(Self.wildcard.utf8)
    }

    private mutating func applyingWildcards(_ object: JSObject) -> JSObject {
        var applied = object
        for member in object where isWildcard(member.key) { apply(member, to: &applied) }
        // Removing them one by one would take time quadratic in their number.
        var result = JSObject()
        for member in applied where !isWildcard(member.key) { result[member.key] = member.value }
        return result
    }

    /// Merges what a wildcard brings into every object of the array that it names.
    private mutating func apply(_ wildcard: JSObject.Member, to object: inout JSObject) {
        let name = PropertyKey(
            String(decoding: wildcard.key.name.utf8.dropLast(Self.wildcard.utf8.count), as: UTF8.self))
        guard case .object(let payload) = wildcard.value, case .array(let elements)? = object[name],
            takeRoom(elements.count)
        else { return }
        object[name] = .array(elements.map { merged(payload, intoElement: $0) })
    }

    private mutating func merged(_ payload: JSObject, intoElement element: JSValue) -> JSValue {
        guard case .object(let object) = element else { return element }
        return .object(merged(payload, into: object, isClean: false))
    }
}
