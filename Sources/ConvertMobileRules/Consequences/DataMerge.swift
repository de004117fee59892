internal import ConvertECMAScript

/// How `add` and `mod` bring their payload into an event's data.
struct DataMerge {
    /// Whether the payload's values win (`mod`) or the event's (`add`).
    let overwrites: Bool

    private static let wildcard = "[*]"

    /// The event's `data` with `payload` merged into it.
    ///
    /// Objects are merged member by member, arrays joined. `name[*]` is merged into every object of the array `name`, then
    /// disappears, as do members that are null.
    func merge(_ payload: JSObject, into data: JSObject) -> JSObject {
        var merged = JSObject()
        for member in data {
            let payload = payload[member.key]
            if payload == nil, isWildcard(member.key) {
                merged[member.key] = member.value
            } else if let value = merge(payload, into: member.value) {
                merged[member.key] = value
            }
        }
        for member in payload where data[member.key] == nil {
            // What a wildcard brings stays as it is until it meets the array's members: its nulls may remove something there.
            if let value = isWildcard(member.key) ? member.value : taken(member.value) { merged[member.key] = value }
        }
        return applyingWildcards(merged)
    }

    private func merge(_ payload: JSValue?, into value: JSValue) -> JSValue? {
        switch (value, payload) {
        case (_, nil): taken(value)
        case (.object(let object), .object(let payload)?): .object(merge(payload, into: object))
        case (.array(let elements), .array(let payload)?): .array(elements + payload)
        default: taken(overwrites ? payload : value)
        }
    }

    /// A value that only one side has: objects lose their nulls and wildcards all the same.
    private func taken(_ value: JSValue?) -> JSValue? {
        switch value {
        case nil, .null: nil
        case .object(let object): .object(merge(JSObject(), into: object))
        case let value?: value
        }
    }

    private func isWildcard(_ key: PropertyKey) -> Bool {
        key.name.utf8.suffix(Self.wildcard.utf8.count).elementsEqual(Self.wildcard.utf8)
    }

    private func applyingWildcards(_ object: JSObject) -> JSObject {
        var result = object
        for member in object where isWildcard(member.key) {
            result[member.key] = nil
            let name = PropertyKey(
                String(decoding: member.key.name.utf8.dropLast(Self.wildcard.utf8.count), as: UTF8.self))
            guard case .object(let payload) = member.value, case .array(let elements)? = result[name] else { continue }
            result[name] = .array(
                elements.map { element in
                    if case .object(let object) = element { .object(merge(payload, into: object)) } else { element }
                })
        }
        return result
    }
}
