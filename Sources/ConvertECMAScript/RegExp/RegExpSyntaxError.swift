/// Why a pattern, or its flags, cannot be compiled: what the constructor of JavaScript's `RegExp` throws.
///
///     do { _ = try RegExp("a**") } catch { print(error) }
///     // Invalid regular expression: Nothing to repeat (at code unit 2)
public struct RegExpSyntaxError: Error, Sendable, Hashable {
    /// What is wrong, named as JavaScript engines name it. More codes may be added.
    public struct Code: Sendable, Hashable {
        /// The sentence that engines print for it.
        public let message: String
    }

    /// What is wrong.
    public let code: Code

    /// Where: the UTF-16 code unit of the pattern at which the offending piece starts. For a flag, its place in the flags.
    public let offset: Int

    init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension RegExpSyntaxError: CustomStringConvertible {
    /// The sentence and the place. The pattern is not repeated: it may be long, and the caller has it.
    public var description: String {
        let subject = code.concernsFlags ? "Invalid flags supplied to RegExp constructor" : "Invalid regular expression"
        return "\(subject): \(code.message) (at code unit \(offset))"
    }
}

extension RegExpSyntaxError.Code {
    /// A quantifier that follows nothing, another quantifier, or an assertion.
    public static let nothingToRepeat = Self(message: "Nothing to repeat")
    /// `{2,1}`.
    public static let quantifierOutOfOrder = Self(message: "numbers out of order in {} quantifier")
    /// `(` without its `)`.
    public static let unterminatedGroup = Self(message: "Unterminated group")
    /// `)` without its `(`.
    public static let unmatchedParenthesis = Self(message: "Unmatched ')'")
    /// `(?` followed by nothing that JavaScript knows, malformed modifiers included.
    public static let invalidGroup = Self(message: "Invalid group")
    /// `(?<` or `\k<` without an identifier and its `>`.
    public static let invalidGroupName = Self(message: "Invalid capture group name")
    /// One name on two groups that can take part in one match.
    public static let duplicateGroupName = Self(message: "Duplicate capture group name")
    /// `\k` that names nothing, in a pattern with named groups.
    public static let invalidNamedReference = Self(message: "Invalid named reference")
    /// `\k<name>` of a group that does not exist.
    public static let unknownGroupName = Self(message: "Invalid named capture referenced")
    /// `[` without its `]`.
    public static let unterminatedClass = Self(message: "Unterminated character class")
    /// `[z-a]`.
    public static let rangeOutOfOrder = Self(message: "Range out of order in character class")
    /// `]`, `{` or `}` by itself, with the flag `u` or `v`.
    public static let loneBracket = Self(message: "Lone quantifier brackets")
    /// `\p` with a name that does not exist, or with a property of strings where only code points can be.
    public static let invalidProperty = Self(message: "Invalid property name")
    /// A class that the flag `u` or `v` forbids, such as `[a-\d]`, or `[a&&&b]` with `v`.
    public static let invalidClass = Self(message: "Invalid character class")
    /// `[^…]` of texts that are not one code point.
    public static let invertedStrings = Self(message: "Negated character class may contain strings")
    /// An escape that the flags or the pattern's other parts forbid.
    public static let invalidEscape = Self(message: "Invalid escape")
    /// A lone backslash at the end.
    public static let trailingBackslash = Self(message: "\\ at end of pattern")
    /// More than `RegExpLimits.captures` groups.
    public static let tooManyCaptures = Self(message: "Too many captures")
    /// More than `RegExpLimits.nesting` groups inside each other, or `RegExpLimits.classNesting` classes.
    public static let nestedTooDeep = Self(message: "Groups or classes nested too deep")
    /// A pattern beyond `RegExpLimits.patternLength`.
    public static let tooLarge = Self(message: "Regular expression too large")
    /// A flag that JavaScript does not know either.
    public static let unknownFlag = Self(message: "unknown flag")
    /// The same flag twice.
    public static let repeatedFlag = Self(message: "flag given twice")
    /// `u` and `v` together.
    public static let conflictingFlags = Self(message: "flags u and v exclude each other")

    fileprivate var concernsFlags: Bool {
        self == .unknownFlag || self == .repeatedFlag || self == .conflictingFlags
    }
}
