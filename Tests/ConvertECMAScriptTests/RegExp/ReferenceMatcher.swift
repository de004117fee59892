/// The pattern semantics of ECMA-262 (22.2.2) as they are written there: matchers that call their continuations.
///
/// Slow, recursive and exponential, and therefore easy to compare with the text. It gives up after `stepLimit` steps.
final class ReferenceMatcher {
    struct State {
        var endIndex: Int
        var captures: [Range<Int>?]
    }

    struct Flags {
        var ignoreCase: Bool
        var multiline: Bool
        var dotAll: Bool
    }

    typealias Continuation = (State) throws -> State?
    typealias Matcher = (State, @escaping Continuation) throws -> State?

    struct GaveUp: Error {}

    private static let stepLimit = 200_000

    private let input: [UInt16]
    private var steps = 0

    private init(_ input: [UInt16]) { self.input = input }

    /// The first match and its captures, group 0 being the match; `nil` without a match.
    static func exec(
        _ pattern: ReferencePattern, flags: Flags, groupCount: Int, input: [UInt16]
    ) throws -> [Range<Int>?]? {
        let matcher = ReferenceMatcher(input)
        let compiled = matcher.compile(pattern, flags, forward: true)
        for start in 0...input.count {
            let state = State(endIndex: start, captures: Array(repeating: nil, count: groupCount + 1))
            if var found = try compiled(state, { $0 }) {
                found.captures[0] = start..<found.endIndex
                return found.captures
            }
        }
        return nil
    }

    private func step() throws {
        steps += 1
        if steps > Self.stepLimit { throw GaveUp() }
    }

    /// CompileSubpattern, CompileAtom and CompileAssertion.
    private func compile(_ pattern: ReferencePattern, _ flags: Flags, forward: Bool) -> Matcher {
        switch pattern {
        case .empty: return { state, next in try next(state) }
        case .character(let unit): return characterSet({ $0 == unit }, false, flags, forward)
        case .dot: return characterSet({ flags.dotAll || !isTerminator($0) }, false, flags, forward, folds: false)
        case .escape(let letter): return characterSet({ isIn(letter, $0) }, false, flags, forward)
        case .characterClass(let items, let isNegated):
            return characterSet({ unit in items.contains { $0.contains(unit) } }, isNegated, flags, forward)
        case .sequence(let items):
            let matchers = items.map { compile($0, flags, forward: forward) }
            return (forward ? matchers.reversed() : matchers).reduce({ state, next in try next(state) }) {
                rest, first in
                { state, next in try first(state) { try rest($0, next) } }
            }
        case .alternation(let items):
            let matchers = items.map { compile($0, flags, forward: forward) }
            return { state, next in
                for matcher in matchers { if let found = try matcher(state, next) { return found } }
                return nil
            }
        case .group(let number, let body):
            let matcher = compile(body, flags, forward: forward)
            return { state, next in
                try matcher(state) { inner in
                    var after = inner
                    let bounds = (state.endIndex, inner.endIndex)
                    after.captures[number] = forward ? bounds.0..<bounds.1 : bounds.1..<bounds.0
                    return try next(after)
                }
            }
        case .repetition(let body, let minimum, let maximum, let isGreedy):
            let matcher = compile(body, flags, forward: forward)
            let groups = body.groups
            return { state, next in
                try self.repeatMatcher(matcher, minimum, maximum, isGreedy, state, next, groups)
            }
        case .lookaround(let body, let isBehind, let isNegative):
            let matcher = compile(body, flags, forward: !isBehind)
            return { state, next in
                guard let found = try matcher(state, { $0 }) else { return isNegative ? try next(state) : nil }
                if isNegative { return nil }
                return try next(State(endIndex: state.endIndex, captures: found.captures))
            }
        case .backReference(let number): return backReference(number, flags, forward)
        case .modifiers(let added, let removed, let body):
            return compile(body, flags.updated(adding: added, removing: removed), forward: forward)
        case .assertion(let letter):
            return { state, next in self.holds(letter, flags, state.endIndex) ? try next(state) : nil }
        }
    }

    /// RepeatMatcher (22.2.2.3.1).
    private func repeatMatcher(
        _ matcher: @escaping Matcher, _ minimum: Int, _ maximum: Int?, _ isGreedy: Bool, _ state: State,
        _ next: @escaping Continuation, _ groups: [Int]
    ) throws -> State? {
        try step()
        if maximum == 0 { return try next(state) }
        let iterate: Continuation = { inner in
            if minimum == 0, inner.endIndex == state.endIndex { return nil }
            return try self.repeatMatcher(
                matcher, max(0, minimum - 1), maximum.map { $0 - 1 }, isGreedy, inner, next, groups)
        }
        var cleared = state
        for group in groups { cleared.captures[group] = nil }
        if minimum > 0 { return try matcher(cleared, iterate) }
        if isGreedy { return try matcher(cleared, iterate) ?? next(state) }
        return try next(state) ?? matcher(cleared, iterate)
    }

    /// CharacterSetMatcher (22.2.2.7.1).
    private func characterSet(
        _ contains: @escaping (UInt16) -> Bool, _ isInverted: Bool, _ flags: Flags, _ forward: Bool, folds: Bool = true
    ) -> Matcher {
        { state, next in
            try self.step()
            let end = forward ? state.endIndex + 1 : state.endIndex - 1
            guard end >= 0, end <= self.input.count else { return nil }
            let unit = self.input[min(state.endIndex, end)]
            let found =
                flags.ignoreCase && folds
                ? caseVariants(unit).contains { contains($0) } : contains(unit)
            return found != isInverted ? try next(State(endIndex: end, captures: state.captures)) : nil
        }
    }

    /// BackreferenceMatcher (22.2.2.7.2).
    private func backReference(_ number: Int, _ flags: Flags, _ forward: Bool) -> Matcher {
        { state, next in
            guard let range = state.captures[number] else { return try next(state) }
            let end = forward ? state.endIndex + range.count : state.endIndex - range.count
            guard end >= 0, end <= self.input.count else { return nil }
            let from = min(state.endIndex, end)
            for offset in 0..<range.count {
                let (left, right) = (self.input[range.lowerBound + offset], self.input[from + offset])
                let equal =
                    flags.ignoreCase ? referenceCanonicalize(left) == referenceCanonicalize(right) : left == right
                if !equal { return nil }
            }
            return try next(State(endIndex: end, captures: state.captures))
        }
    }

    private func holds(_ letter: Character, _ flags: Flags, _ position: Int) -> Bool {
        let before = position > 0 ? input[position - 1] : nil
        let after = position < input.count ? input[position] : nil
        switch letter {
        case "^": return before.map { flags.multiline && isTerminator($0) } ?? true
        case "$": return after.map { flags.multiline && isTerminator($0) } ?? true
        default:
            let isBoundary = (before.map { isIn("w", $0) } ?? false) != (after.map { isIn("w", $0) } ?? false)
            return isBoundary == (letter == "b")
        }
    }
}

extension ReferenceMatcher.Flags {
    fileprivate func updated(adding added: String, removing removed: String) -> Self {
        func value(_ letter: Character, _ old: Bool) -> Bool {
            added.contains(letter) || old && !removed.contains(letter)
        }
        return .init(
            ignoreCase: value("i", ignoreCase), multiline: value("m", multiline), dotAll: value("s", dotAll))
    }
}

extension ReferencePattern {
    /// The numbers of the groups inside.
    var groups: [Int] {
        switch self {
        case .sequence(let items), .alternation(let items): items.flatMap(\.groups)
        case .group(let number, let body): [number] + body.groups
        case .repetition(let body, _, _, _), .lookaround(let body, _, _), .modifiers(_, _, let body): body.groups
        case .empty, .character, .dot, .characterClass, .escape, .backReference, .assertion: []
        }
    }
}

extension ReferenceClassItem {
    func contains(_ unit: UInt16) -> Bool {
        switch self {
        case .range(let first, let last): first <= unit && unit <= last
        case .escape(let letter): isIn(letter, unit)
        }
    }
}

private func isTerminator(_ unit: UInt16) -> Bool { [0x0a, 0x0d, 0x2028, 0x2029].contains(unit) }

private func isIn(_ letter: Character, _ unit: UInt16) -> Bool {
    switch letter {
    case "d": return (0x30...0x39).contains(unit)
    case "w": return isIn("d", unit) || (0x41...0x5a).contains(unit) || (0x61...0x7a).contains(unit) || unit == 0x5f
    case "s":
        if (0x09...0x0d).contains(unit) || isTerminator(unit) { return true }
        return unit == 0xfeff || Unicode.Scalar(unit)?.properties.generalCategory == .spaceSeparator
    default: return !isIn(Character(letter.lowercased()), unit)
    }
}

/// Canonicalize (22.2.2.7.3) by Swift's own tables.
func referenceCanonicalize(_ unit: UInt16) -> UInt16 {
    guard let upper = Unicode.Scalar(unit)?.properties.uppercaseMapping.utf16, upper.count == 1, let first = upper.first
    else { return unit }
    return unit >= 128 && first < 128 ? unit : first
}

/// Every unit that is the same to Canonicalize.
private func caseVariants(_ unit: UInt16) -> [UInt16] { variants[Int(referenceCanonicalize(unit))] }

private let variants: [[UInt16]] = {
    var result = [[UInt16]](repeating: [], count: 0x10000)
    for unit in UInt16.min...UInt16.max { result[Int(referenceCanonicalize(unit))].append(unit) }
    return result
}()
