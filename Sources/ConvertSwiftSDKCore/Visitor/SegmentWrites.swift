package import ConvertECMAScript

/// Successive writes of segments, to be merged over a record that is not available yet.
///
/// The result of a merge depends on the stored value: a list is united with a stored list, but replaces a stored text.
/// Writes can therefore be merged in advance only if the result is the same for any stored text or list. For example,
/// `"b"` followed by `["c"]` always gives `["c"]`, while `["c"]` alone is united with a stored list. Writes of a
/// segment that cannot be merged in advance are kept in later rounds.
package struct SegmentWrites: Sendable, Equatable {
    /// The maximum number of rounds. Beyond it, writes are merged in advance even if the result may differ. Only a
    /// segment that alternates between lists and objects needs more than two rounds.
    package static let roundLimit = 8

    /// The writes, at least one. Each is merged over the result of the earlier writes.
    package private(set) var rounds: [JSObject]

    package init(_ segments: JSObject) { rounds = [segments] }

    /// The segments that these writes store for a visitor without segments.
    package var merged: JSObject { rounds.dropFirst().reduce(rounds[0]) { $0.deepMerging($1) } }

    package mutating func append(_ segments: JSObject) {
        for member in segments { append(member.value, to: member.key) }
        while rounds.count > 1, rounds.last?.isEmpty ?? false { rounds.removeLast() }
    }

    private mutating func append(_ value: JSValue, to name: PropertyKey) {
        guard value.isContainer else {
            for index in rounds.indices.dropFirst() { rounds[index][name] = nil }
            return rounds[0][name] = value
        }
        guard let last = rounds.lastIndex(where: { $0[name] != nil }), let older = rounds[last][name] else {
            return rounds[0][name] = value
        }
        // A list is merged with an object by index, and is not united with it.
        let isOverObject = rounds[..<last].contains { $0[name]?.objectValue != nil }
        if last + 1 == Self.roundLimit || !isOverObject && older.canBeMerged(aheadWith: value) {
            rounds[last] = rounds[last].deepMerging([name.name: value])
        } else {
            if last + 1 == rounds.count { rounds.append(JSObject()) }
            rounds[last + 1][name] = value
        }
    }
}

extension JSObject {
    /// Whether this object and `newer` can be merged with each other first: the result over any third object is the
    /// same as merging one after the other.
    func canBeMerged(aheadWith newer: JSObject) -> Bool {
        newer.allSatisfy { member in self[member.key]?.canBeMerged(aheadWith: member.value) ?? true }
    }
}

extension JSValue {
    /// Whether a merge of this value may keep parts of the older value.
    fileprivate var isContainer: Bool { arrayValue != nil || objectValue != nil }

    fileprivate func canBeMerged(aheadWith newer: JSValue) -> Bool {
        switch (self, newer) {
        case (.array, .array): true
        case (.object(let older), .object(let newer)): older.canBeMerged(aheadWith: newer)
        default: !newer.isContainer
        }
    }
}
