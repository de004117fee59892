internal import ConvertECMAScript

/// The member names of one kind of object.
struct MemberNames: Sendable {
    /// A known name that the author of an unknown one may have meant.
    struct Suggestion {
        let name: String
        /// Whether the known name is only the last word of the unknown one. Such a match is only convincing if the
        /// member is missing.
        let isLastWord: Bool
    }

    /// The required members: without them the object has no effect.
    let required: [String]
    /// All known members.
    let all: [String]
    /// One bit for each number of the vocabulary whose name is known here.
    private let numbers: UInt64

    init(required: [String], optional: [String]) {
        self.required = required
        all = required + optional
        numbers = RulesMember.allCases.reduce(0) { [all] numbers, member in
            all.contains(member.text) ? numbers | 1 << UInt64(member.rawValue) : numbers
        }
    }

    /// Whether the name with this number in the vocabulary is known. `false` for numbers beyond the vocabulary.
    func contains(number: UInt32) -> Bool { number < UInt64.bitWidth && numbers >> UInt64(number) & 1 == 1 }

    /// The known name that `name` may stand for; `nil` if `name` is known or similar to none.
    func suggestion(for name: String) -> Suggestion? {
        if all.contains(name) { return nil }
        if let nearest = all.nearest(to: name) { return Suggestion(name: nearest, isLastWord: false) }
        return required.first { name.hasLastWord($0) }.map { Suggestion(name: $0, isLastWord: true) }
    }
}

extension String {
    /// Whether this name may be meant as `member`: the two are similar, or this one ends in it, as `eventType` ends in
    /// `type`.
    func mayStand(for member: String) -> Bool { [member].nearest(to: self) != nil || hasLastWord(member) }

    fileprivate func hasLastWord(_ word: String) -> Bool {
        let capitalized = word.prefix(1).uppercased() + word.dropFirst()
        return self != capitalized && [capitalized, "_" + word, "-" + word].contains { hasSuffix($0) }
    }
}

extension Sequence<String> {
    /// A hint for the error that `member` is missing: the name among these that may be meant as `member`; empty if
    /// there is no such name.
    func hint(atMissing member: String) -> String {
        // An object may have a million members, and a hint does not justify checking all of them.
        guard let name = prefix(1_000).first(where: { $0 != member && $0.mayStand(for: member) }) else { return "" }
        return " Is '\(name.excerpt())' a misspelling of it?"
    }
}
