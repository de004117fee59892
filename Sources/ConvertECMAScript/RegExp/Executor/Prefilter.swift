/// Where a match can start, told from the input alone and without running the program.
struct Prefilter: Sendable {
    /// A literal: at each place one unit or, where case is ignored, one of two.
    struct Literal: Sendable {
        var firsts: [UInt16] = []
        var seconds: [UInt16] = []

        var count: Int { firsts.count }

        mutating func append(_ first: UInt16, _ second: UInt16) {
            firsts.append(first)
            seconds.append(second)
        }
    }

    /// Matches start at 0 only.
    var isAnchored = false
    /// No match is shorter.
    var minimumLength = 0
    /// What every match begins with.
    var prefix = Literal()
    /// What every match contains.
    var required = Literal()
    /// The only set of `sets`: what every match's first unit is in; `nil` if a match can be empty.
    var firstUnits: UnitSets?

    /// Whether anything in the input rules a match out.
    func mayMatch(_ input: some RegExpInput) -> Bool {
        guard input.count >= minimumLength else { return false }
        return required.count == 0 || required.firstOccurrence(in: input, from: 0) != nil
    }

    /// The first position from `start` on where a match can start.
    func nextCandidate(in input: some RegExpInput, from start: Int) -> Int? {
        let last = isAnchored ? 0 : input.count - minimumLength
        guard start <= last else { return nil }
        if isAnchored { return start }
        if prefix.count > 0 { return prefix.firstOccurrence(in: input, from: start) }
        guard let firstUnits else { return start }
        var position = start
        while position <= last, position < input.count {
            if firstUnits.contains(input[position], in: 0) { return position }
            position += 1
        }
        return nil
    }
}

extension Prefilter.Literal {
    /// Where the literal first stands in `input` at or after `start`.
    func firstOccurrence(in input: some RegExpInput, from start: Int) -> Int? {
        guard let first = firsts.first, let second = seconds.first else { return start }
        let last = input.count - count
        var position = start
        while position <= last {
            let unit = input[position]
            if unit == first || unit == second, matches(input, at: position) { return position }
            position += 1
        }
        return nil
    }

    private func matches(_ input: some RegExpInput, at position: Int) -> Bool {
        for offset in 1..<max(count, 1) {
            let unit = input[position + offset]
            if unit != firsts[offset], unit != seconds[offset] { return false }
        }
        return true
    }
}
