internal import ConvertECMAScript

/// The member names of one kind of object.
struct MemberNames: Sendable {
    /// A known name that may have been meant by an unknown name.
    struct Suggestion {
        let name: String
        /// Whether the known name is only the last word of the unknown name. Such a match is only convincing if the
        /// object has no member with the known name.
        let isLastWord: Bool
    }

    /// The required members. Without one of them, the object has no effect.
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

    /// The known name that `name` may stand for; `nil` if `name` is known, or similar to no known name.
    func suggestion(for name: String) -> Suggestion? {
        if all.contains(name) { return nil }
        if let nearest = all.nearest(to: name) { return Suggestion(name: nearest, isLastWord: false) }
        return required.first { name.hasLastWord($0) }.map { Suggestion(name: $0, isLastWord: true) }
    }
}

extension String {
    /// Whether this name may be meant as `member`: the two are similar, or this name ends with `member`, as `eventType`
    /// ends with `type`.
    func mayStand(for member: String) -> Bool { [member].nearest(to: self) != nil || hasLastWord(member) }

    fileprivate func hasLastWord(_ word: String) -> Bool {
        let capitalized = word.prefix(1).uppercased() + word.dropFirst()
        return self != capitalized && [capitalized, "_" + word, "-" + word].contains { hasSuffix($0) }
    }
}

extension Sequence<String> {
    /// A hint for the error that `member` is missing: names the first element that may be meant as `member`. Empty if
    /// there is no such element.
    func hint(atMissing member: String) -> String {
        // An object may have a million members, and a hint does not justify checking all of them.
        guard let name = prefix(1_000).first(where: { $0 != member && $0.mayStand(for: member) }) else { return "" }
        return " Is '\(name.excerpt())' a misspelling of it?"
    }
}
