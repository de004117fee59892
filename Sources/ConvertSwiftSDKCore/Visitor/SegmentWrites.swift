package import ConvertECMAScript

/// Segments that were written one after the other, to be merged over a record that is not at hand yet.
///
/// The result of a merge depends on what is stored: a list is united with a stored list, and replaces a stored text. So
/// writes can be merged ahead only where the result is the same whatever text or list is stored: `"b"` and then `["c"]`
/// leave `["c"]`, while `["c"]` alone is united with a list that is stored. Writes of one segment that cannot be merged
/// ahead are kept in later rounds.
package struct SegmentWrites: Sendable, Equatable {
    /// How many rounds are kept. Further writes are merged ahead all the same; only a segment that is given lists and
    /// objects in turn needs more than two.
    package static let roundLimit = 8

    /// The writes, each to be merged over the result of those before it. There is at least one.
    package private(set) var rounds: [JSObject]

    /// One write.
    package init(_ segments: JSObject) { rounds = [segments] }

    /// Writes that were merged ahead before.
    init(rounds: [JSObject]) { self.rounds = rounds.isEmpty ? [JSObject()] : rounds }

    /// What is stored of a visitor without segments after these writes.
    package var merged: JSObject { rounds.dropFirst().reduce(rounds[0]) { $0.deepMerging($1) } }

    /// Appends a write.
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
        // Over an object the members of a list are merged by their indices, and lists are not united.
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
    /// Whether merging this object and then `newer` over any third gives the same as merging both merged.
    func canBeMerged(aheadWith newer: JSObject) -> Bool {
        newer.allSatisfy { member in self[member.key]?.canBeMerged(aheadWith: member.value) ?? true }
    }
}

extension JSValue {
    /// Whether a merge may keep something of what was there.
    fileprivate var isContainer: Bool { arrayValue != nil || objectValue != nil }

    fileprivate func canBeMerged(aheadWith newer: JSValue) -> Bool {
        switch (self, newer) {
        case (.array, .array): true
        case (.object(let older), .object(let newer)): older.canBeMerged(aheadWith: newer)
        default: !newer.isContainer
        }
    }
}
