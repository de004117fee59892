/// libFuzzer's entry: a byte of flags, a pattern, a zero byte, an input. See `Tests/README.md` for the command.
///
/// Whatever arrives, nothing may trap or hang, and the executors must agree. It is compiled into the module, so that
/// the backtracker can be asked without the automaton and the prefilter before it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRegExp(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let parts = UnsafeBufferPointer(start: bytes + 1, count: count - 1)
        .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let letters = ["i", "m", "s", "u", "v", "y"].enumerated().filter { bytes[0] >> $0.offset & 1 != 0 }
    let flags = letters.map(\.element).joined()
    let pattern = String(decoding: parts[0], as: UTF8.self)
    let input = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    guard let expression = try? RegExp(pattern, flags: flags) else { return 0 }
    guard let tested = try? expression.test(input) else { return 0 }
    guard let same = try? RegExp(expression.source, flags: flags) else { fatalError("its source is no pattern") }
    precondition((try? same.test(input)).map { $0 == tested } ?? true, "its source is another pattern")
    let crowded = testWithoutMemory(pattern, flags, input)
    precondition(crowded.map { $0 == tested } ?? true, "the automaton disagrees with itself")
    let captures = captureLinearly(pattern, flags, input)
    precondition(captures.map { ($0 != nil) == tested } ?? true, "test and the linear matcher disagree")
    for stepsBeforeRecording in [0, Int.max / 2] {
        guard let bare = backtrack(pattern, flags, input, stepsBeforeRecording) else { continue }
        precondition((bare != nil) == tested, "test and the backtracker disagree")
        precondition(captures.map { $0 == bare } ?? true, "the linear matcher and the backtracker disagree")
    }
    do {
        let match = try expression.exec(input)
        precondition(tested == (match != nil), "test and exec disagree")
        guard let match else { return 0 }
        let units = input.utf16.count
        for group in 0...match.groupCount {
            guard let range = match.range(of: group) else { continue }
            precondition(range.upperBound <= units, "group \(group) lies outside")
            _ = match[group]
        }
    } catch {}
    return 0
}

/// What automata that can keep hardly any state, and decide lookarounds by tables alone, find out; `nil` if the pattern
/// gets none.
private func testWithoutMemory(_ pattern: String, _ flags: String, _ input: String) -> Bool? {
    guard let flags = try? RegExpFlags(parsing: flags),
        let (tree, analysis) = try? CompiledRegExp.parse(Array(pattern.utf16), flags: flags)
    else { return nil }
    var prefilter = Prefilter()
    prefilter.isAnchored = flags.contains(.sticky)
    guard let automata = try? AutomatonCompiler.compile(tree, analysis, prefilter).get(),
        input.utf8.count <= automata.longestInput
    else { return nil }
    var scratch = LookaroundScratch(automata, capacity: Int.min / 2, directUnitsPerByte: 0)
    var budget = RegExpBudget.unlimited
    return Array(input.utf8).withElements { scratch.test(UTF8Units(bytes: $0), &budget) }
}

/// The captures that the linear matcher finds, with as little memory as it can do with; `nil` if the pattern is not for
/// it.
private func captureLinearly(_ pattern: String, _ flags: String, _ input: String) -> [Int32]?? {
    guard let flags = try? RegExpFlags(parsing: flags),
        let (tree, analysis) = try? CompiledRegExp.parse(Array(pattern.utf16), flags: flags),
        !analysis[tree.root].hasReferences,
        let program = LinearProgram(tree, analysis, isAnchored: flags.contains(.sticky)),
        input.utf8.count <= program.longestInput
    else { return nil }
    return Array(input.utf8).withElements { bytes in
        // Whatever gives up within these steps would take the sanitizer too long.
        var matcher = LinearMatcher(program, UTF8Units(bytes: bytes), steps: 1_000_000, keptBytes: 0)
        return try? .some(matcher.search())
    }
}

/// The captures that the backtracker alone finds; `nil` if it gives up.
private func backtrack(
    _ pattern: String, _ flags: String, _ input: String, _ stepsBeforeRecording: Int
) -> [Int32]?? {
    guard let flags = try? RegExpFlags(parsing: flags),
        let (tree, analysis) = try? CompiledRegExp.parse(Array(pattern.utf16), flags: flags)
    else { return nil }
    let program = ProgramCompiler.compile(tree, analysis)
    var prefilter = Prefilter()
    prefilter.isAnchored = flags.contains(.sticky)
    return Array(input.utf8).withElements { bytes in
        // Enough for whatever is worth comparing; without a record all the budget would take very long.
        var backtracker = Backtracker(
            program: program, input: UTF8Units(bytes: bytes), scratch: BacktrackerScratch(), steps: 20_000,
            stepsBeforeRecording: stepsBeforeRecording)
        guard let matches = try? backtracker.search(prefilter) else { return nil }
        return matches ? Array(backtracker.scratch.registers.prefix(2 * program.groupCount + 2)) : .some(nil)
    }
}
