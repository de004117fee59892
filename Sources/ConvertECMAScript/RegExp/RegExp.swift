/// A regular expression as ECMA-262 defines it (ES2025 with Annex B, by UTF-16 code units).
///
///     let expression = try RegExp("^/checkout/(?<step>\\d+)", flags: "i")
///     try expression.test("/Checkout/12")                      // true
///     try expression.exec("/Checkout/12")?["step"]             // "12"
///
/// It is immutable, compiled once, and safe to use from any number of threads at the same moment. There is no
/// `lastIndex`: every call answers as a new JavaScript object would, so `g` changes nothing and `y` matches at the
/// input's start only. `d` changes nothing either, since a match always has its indices. The flags `u` and `v` are
/// refused.
///
/// Patterns without back references and lookarounds are tested by an automaton: one pass over the UTF-8, without a copy, in
/// time linear to the input's length. A pattern gets none if its counted repetitions, written out, come to more than
/// 100,000 instructions, or if it tells too many units apart. These, all other patterns, and the captures of `exec` take
/// steps by backtracking under a budget; what goes beyond it throws `RegExpBudgetExceeded` instead of hanging. (An
/// automaton has a budget too, for the rare case of tens of thousands of branches that are alive at once and for long; and
/// it leaves a finite count of a million or more to the backtracker on inputs that could reach it.) Memory is bounded by
/// the pattern and the constants of `RegExpLimits`, whatever the input.
public struct RegExp: Sendable {
    /// Compiled parts, shared by all copies.
    let compiled: CompiledRegExp

    /// Compiles `pattern`. Time and memory are bounded by its length and `RegExpLimits`: mostly microseconds, a second or
    /// two for patterns of a million code units.
    ///
    /// - Throws: `RegExpSyntaxError` where JavaScript's constructor throws, for `u` and `v`, and beyond `RegExpLimits`.
    public init(_ pattern: String, flags: String = "") throws(RegExpSyntaxError) {
        compiled = try CompiledRegExp(pattern, flags: RegExpFlags(parsing: flags))
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

    /// Whether the pattern matches anywhere in the text of `bytes`, which are UTF-8.
    ///
    /// Nothing is copied. Once the pattern has seen inputs of the kind a short match allocates nothing; one that records
    /// failures, fills the stack or overflows the cache does, and gives the memory back.
    ///
    /// - Throws: `RegExpBudgetExceeded` if that would take too long to find out.
    package func test(utf8 bytes: UnsafeBufferPointer<UInt8>) throws(RegExpBudgetExceeded) -> Bool {
        try compiled.test(bytes)
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
