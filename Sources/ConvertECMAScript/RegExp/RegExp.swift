/// A regular expression as ECMA-262 defines it: ES2025 with all flags, and with Annex B where it applies.
///
///     let expression = try RegExp("^/checkout/(?<step>\\d+)", flags: "i")
///     try expression.test("/Checkout/12")                      // true
///     try expression.exec("/Checkout/12")?["step"]             // "12"
///
/// An expression is immutable, compiled once, and safe to use from any number of threads at the same time. There is no
/// `lastIndex`: every call answers like a new JavaScript object. So the flag `g` changes nothing, and with `y` matches
/// begin only at the input's start. `d` changes nothing either, because a match always has its indices. With `u` or `v`
/// a match never begins within a surrogate pair.
///
/// A pattern without back references always gets an answer from `test` and from `exec`. The time grows with the product
/// of the lengths of pattern and input. `test` takes one pass over the UTF-8, without a copy, and at most three more
/// passes for each lookaround. Tables of lookarounds take one bit for each byte of the input and each lookaround;
/// without lookarounds the memory does not depend on the input. `exec` finds captures by backtracking and, if that
/// takes more than some thousands of steps, in linear time. Its memory grows with the product of the pattern's length,
/// with repetitions written out, and the square root of the input's length: about 100 MB for 100,000 instructions and 2
/// MB of input.
///
/// The length of such a pattern counts with repetitions written out: `(?:ab){3}` is as long as `ababab`. Backtracking
/// under a budget of steps is used instead
/// - for a pattern beyond `RegExpLimits.automatonInstructions`,
/// - for an input long enough to reach a maximum of a million iterations,
/// - for an input whose tables would exceed `RegExpLimits.truthTableBytes`,
/// - for captures beyond `RegExpLimits.linearInstructions`, which counts groups too.
///
/// A pattern with back references is matched by backtracking under that budget. If a search takes more than some
/// thousands of steps, a check in linear time excludes inputs that cannot match, regardless of the captures. A match
/// that exceeds the budget throws `RegExpBudgetExceeded`. The constants of `RegExpLimits` limit all other memory.
public struct RegExp: Sendable {
    /// Compiled parts, shared by all copies.
    let compiled: CompiledRegExp

    /// Compiles `pattern`. The pattern's length and `RegExpLimits` limit the time and memory. Compiling usually takes
    /// microseconds, and a second or two for patterns of a million code units.
    ///
    /// - Parameters:
    ///   - pattern: the pattern, without slashes around it.
    ///   - flags: the letters of the flags, in any order.
    /// - Throws: `RegExpSyntaxError` if JavaScript's constructor throws, or if the pattern exceeds `RegExpLimits`.
    public init(_ pattern: String, flags: String = "") throws(RegExpSyntaxError) {
        try self.init(pattern, flags: flags, account: .shared)
    }

    /// Compiles `pattern`. `account` counts the memory that its executors keep between calls.
    package init(_ pattern: String, flags: String, account: CacheAccount) throws(RegExpSyntaxError) {
        try self.init(codeUnits: Array(pattern.utf16), flags: flags, account: account)
    }

    /// Compiles a pattern of UTF-16 code units, which may have lone surrogates.
    package init(codeUnits: [UInt16], flags: String, account: CacheAccount) throws(RegExpSyntaxError) {
        compiled = try CompiledRegExp(codeUnits, flags: RegExpFlags(parsing: flags), account: account)
    }

    /// The pattern in the form of JavaScript's property `source`: it can be written between slashes (22.2.6.13.1).
    public var source: String { compiled.source }

    /// The flags, in alphabetical order.
    public var flags: String { compiled.flags.text }

    /// Whether the pattern matches anywhere in `input`.
    ///
    /// - Throws: `RegExpBudgetExceeded` if the answer would take too many steps.
    public func test(_ input: String) throws(RegExpBudgetExceeded) -> Bool {
        try input.withUTF8Bytes { bytes in Result { () throws(RegExpBudgetExceeded) in try test(utf8: bytes) } }.get()
    }

    /// Whether the pattern matches anywhere in the UTF-8 text `bytes`, in which a lone surrogate takes three bytes.
    ///
    /// Nothing is copied. After the pattern has seen inputs of the same kind, a short match allocates nothing. A match
    /// that records failures, fills the stack or overflows the cache allocates memory, and releases it.
    ///
    /// - Throws: `RegExpBudgetExceeded` if the answer would take too many steps.
    package func test(utf8 bytes: ByteText) throws(RegExpBudgetExceeded) -> Bool {
        var budget = RegExpBudget.unlimited
        return try compiled.test(bytes, &budget)
    }

    /// Tests the text like ``test(utf8:)``, and deducts the work from `budget`.
    ///
    /// - Throws: `RegExpBudgetExceeded` also if `budget` does not suffice.
    package func test(
        utf8 bytes: ByteText, budget: inout RegExpBudget
    ) throws(RegExpBudgetExceeded) -> Bool {
        try compiled.test(bytes, &budget)
    }

    /// The leftmost match in `input`, or `nil` if there is no match.
    ///
    /// - Throws: `RegExpBudgetExceeded` if the answer would take too many steps.
    public func exec(_ input: String) throws(RegExpBudgetExceeded) -> Match? {
        var text = input
        text.makeContiguousUTF8()
        let result = text.withUTF8Bytes { bytes in
            Result { () throws(RegExpBudgetExceeded) in try compiled.exec(bytes) }
        }
        guard let registers = try result.get() else { return nil }
        return Match(input: text, registers: registers, names: compiled.names)
    }
}
