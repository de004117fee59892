internal import ConvertECMAScript

/// Merges the payload of `add` and `mod` into an event's data, within a limited number of values.
struct DataMerge {
    /// Whether the payload's values override the event's values (`mod`) or are overridden by them (`add`).
    let overwrites: Bool
    /// The number of values that may still be visited or created; negative after the limit was exceeded. Each level of
    /// `[*]` multiplies the work by the number of elements, so a small payload can have a large result.
    private(set) var room: Int

    private static let wildcard = "[*]"
    /// This many values that are copied without a visit count as one value.
    private static let copiedPerValue = 64

    init(overwrites: Bool, room: Int) {
        self.overwrites = overwrites
        self.room = room
    }

    /// Returns the event's `data` with `payload` merged into it, or `nil` beyond the limit of values.
    ///
    /// Objects are merged member by member, and arrays are joined. `name[*]` is merged into every object of the array
    /// `name` and then removed. Null members are removed too.
    ///
    /// - Parameter isClean: whether the data is the result of a merge and therefore has no nulls or wildcards. Then
    ///   only the payload's members are visited.
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
            // A wildcard's value is kept unchanged until it is merged into the elements, because its nulls may remove
            // members there.
            let isWildcard = isWildcard(member.key)
            if let value = isWildcard ? member.value : taken(member.value) { result[member.key] = value }
            hasWildcards = hasWildcards || isWildcard
        }
        return hasWildcards ? applyingWildcards(result) : result
    }

    /// Merges into data that is the result of a merge. Only the payload's members are visited, because the data has no
    /// nulls or wildcards to remove.
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
        // Removing members one by one would take quadratic time.
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

    /// A value that only the event has, without nulls and wildcards in its objects; `nil` for a null.
    private mutating func kept(_ value: JSValue) -> JSValue? {
        switch value {
        case .null: nil
        case .object(let object): .object(merged(JSObject(), into: object, isClean: false))
        default: value
        }
    }

    /// A value that only the payload has; `nil` for a null.
    private mutating func taken(_ value: JSValue) -> JSValue? {
        switch value {
        case .null: return nil
        case .object(let object): return .object(merged(object, into: JSObject(), isClean: true))
        case .array(let elements): count(elements)
        default: break
        }
        return value
    }

    /// Counts all values of an array that is used unchanged. The array shares its memory with the payload, but later
    /// steps traverse all of the event's data.
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
        // Removing members one by one would take quadratic time.
        var result = JSObject()
        for member in applied where !isWildcard(member.key) { result[member.key] = member.value }
        return result
    }

    /// Merges a wildcard's value into every object of the array that the wildcard names.
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
