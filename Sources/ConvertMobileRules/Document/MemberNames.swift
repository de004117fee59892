internal import ConvertECMAScript

/// The names that the members of one kind of object have.
struct MemberNames: Sendable {
    /// The known name that an unknown one may stand for.
    struct Suggestion {
        let name: String
        /// Whether the known name is only the last word of the unknown one. That says little unless the member is missing.
        let isLastWord: Bool
    }

    /// The members without which the object does nothing.
    let required: [String]
    /// All members that are known.
    let all: [String]
    /// A bit for each number of the vocabulary whose name is known here.
    private let numbers: UInt64

    init(required: [String], optional: [String]) {
        self.required = required
        all = required + optional
        numbers = RulesMember.allCases.reduce(0) { [all] numbers, member in
            all.contains(member.text) ? numbers | 1 << UInt64(member.rawValue) : numbers
        }
    }

    /// Whether the name with this number in the vocabulary is known, as far as the vocabulary can tell.
    func contains(number: UInt32) -> Bool { number < UInt64.bitWidth && numbers >> UInt64(number) & 1 == 1 }

    /// What `name` may stand for; `nil` if it is known or like none of the names.
    func suggestion(for name: String) -> Suggestion? {
        if all.contains(name) { return nil }
        if let nearest = all.nearest(to: name) { return Suggestion(name: nearest, isLastWord: false) }
        return required.first { name.hasLastWord($0) }.map { Suggestion(name: $0, isLastWord: true) }
    }
}

extension String {
    /// Whether this name of a member may stand for `member`: it is spelled much the same, or ends in it as `eventType` ends
    /// in `type`.
    func mayStand(for member: String) -> Bool { [member].nearest(to: self) != nil || hasLastWord(member) }

    fileprivate func hasLastWord(_ word: String) -> Bool {
        let capitalized = word.prefix(1).uppercased() + word.dropFirst()
        return self != capitalized && [capitalized, "_" + word, "-" + word].contains { hasSuffix($0) }
    }
}

extension Sequence<String> {
    /// A hint for the message that `member` is missing: the name among these that may stand for it; empty if there is none.
    func hint(atMissing member: String) -> String {
        // An object may have a million members, and a hint is not worth looking at all of them.
        guard let name = prefix(1_000).first(where: { $0 != member && $0.mayStand(for: member) }) else { return "" }
        return " Is '\(name.excerpt())' a misspelling of it?"
    }
}
