/// A regular expression as ECMA-262 defines it: ES2025 with all flags, and with Annex B where it applies.
///
///     let expression = try RegExp("^/checkout/(?<step>\\d+)", flags: "i")
///     try expression.test("/Checkout/12")                      // true
///     try expression.exec("/Checkout/12")?["step"]             // "12"
///
/// It is immutable, compiled once, and safe to use from any number of threads at the same moment. There is no
/// `lastIndex`: every call answers as a new JavaScript object would, so `g` changes nothing and `y` matches at the
/// input's start only. `d` changes nothing either, since a match always has its indices. With `u` or `v` a
/// match never begins within a surrogate pair.
///
/// A pattern without back references always gets its answer, from `test` and from `exec`, in time that grows with the
/// product of the lengths of pattern and input. `test` takes one pass over the UTF-8, without a copy, and at most three more
/// for each lookaround. Tables of lookarounds take a bit for each byte of the input and each lookaround; without lookarounds
/// memory does not depend on the input. `exec` finds captures by backtracking and, where that takes more than some
/// thousands of steps, in linear time too. The memory for that grows with the product of the pattern's length,
/// repetitions written out, and the root of the input's length: some 100 MB for 100,000 instructions and 2 MB of input.
///
/// Such a pattern counts with its repetitions written out: `(?:ab){3}` is as long as `ababab`. Beyond
/// `RegExpLimits.automatonInstructions` it is matched by backtracking under a budget of steps, as are inputs long enough to
/// reach a maximum of a million iterations, and inputs whose tables would go beyond `RegExpLimits.truthTableBytes`. So are
/// captures beyond `RegExpLimits.linearInstructions`, which counts groups too.
///
/// A pattern with back references is matched by backtracking under that budget, after it was ruled out in linear time that
/// nothing matches whatever the groups have captured. What goes beyond the budget throws `RegExpBudgetExceeded` instead of
/// hanging. All other memory is bounded by the constants of `RegExpLimits`.
public struct RegExp: Sendable {
    /// Compiled parts, shared by all copies.
    let compiled: CompiledRegExp

    /// Compiles `pattern`. Time and memory are bounded by its length and `RegExpLimits`: mostly microseconds, a second or
    /// two for patterns of a million code units.
    ///
    /// - Throws: `RegExpSyntaxError` where JavaScript's constructor throws, and beyond `RegExpLimits`.
    public init(_ pattern: String, flags: String = "") throws(RegExpSyntaxError) {
        try self.init(pattern, flags: flags, account: .shared)
    }

    /// Compiles `pattern` for executors whose memory between calls `account` counts.
    package init(_ pattern: String, flags: String, account: CacheAccount) throws(RegExpSyntaxError) {
        try self.init(codeUnits: Array(pattern.utf16), flags: flags, account: account)
    }

    /// Compiles the pattern of UTF-16 code units, which may have lone surrogates.
    package init(codeUnits: [UInt16], flags: String, account: CacheAccount) throws(RegExpSyntaxError) {
        compiled = try CompiledRegExp(codeUnits, flags: RegExpFlags(parsing: flags), account: account)
    }

    /// The pattern as JavaScript's property of that name gives it: fit to stand between slashes (22.2.6.13.1).
    public var source: String { compiled.source }

    /// The flags, in alphabetical order.
    public var flags: String { compiled.flags.text }

    /// Whether the pattern matches anywhere in `input`.
    ///
    /// - Throws: `RegExpBudgetExceeded` if that would take too long to find out.
    public func test(_ input: String) throws(RegExpBudgetExceeded) -> Bool {
        var input = input
        return try input.withUTF8 { bytes in Result { () throws(RegExpBudgetExceeded) in try test(utf8: bytes) } }.get()
    }

    /// Whether the pattern matches anywhere in the text of `bytes`, which are UTF-8 in which a lone surrogate takes three bytes.
    ///
    /// Nothing is copied. Once the pattern has seen inputs of the kind a short match allocates nothing; one that records
    /// failures, fills the stack or overflows the cache does, and gives the memory back.
    ///
    /// - Throws: `RegExpBudgetExceeded` if that would take too long to find out.
    package func test(utf8 bytes: UnsafeBufferPointer<UInt8>) throws(RegExpBudgetExceeded) -> Bool {
        var budget = RegExpBudget.unlimited
        return try compiled.test(bytes, &budget)
    }

    /// Tests as ``test(utf8:)`` does, and lets `budget` pay for it.
    ///
    /// - Throws: `RegExpBudgetExceeded` also if that is too small.
    package func test(
        utf8 bytes: UnsafeBufferPointer<UInt8>, budget: inout RegExpBudget
    ) throws(RegExpBudgetExceeded) -> Bool {
        try compiled.test(bytes, &budget)
    }

    /// The leftmost match in `input`, or `nil` if there is none.
    ///
    /// - Throws: `RegExpBudgetExceeded` if that would take too long to find out.
    public func exec(_ input: String) throws(RegExpBudgetExceeded) -> Match? {
        var text = input
        let result = text.withUTF8 { bytes in
            Result { () throws(RegExpBudgetExceeded) in try compiled.exec(bytes) }
        }
        guard let registers = try result.get() else { return nil }
        return Match(input: text, registers: registers, names: compiled.names)
    }
}
