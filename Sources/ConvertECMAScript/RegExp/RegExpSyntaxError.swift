/// Why a pattern or its flags cannot be compiled: the error that JavaScript's `RegExp` constructor throws.
///
///     do { _ = try RegExp("a**") } catch { print(error) }
///     // Invalid regular expression: Nothing to repeat (at code unit 2)
public struct RegExpSyntaxError: Error, Sendable, Hashable {
    /// The kind of error, with the names of JavaScript engines. More codes may be added.
    public struct Code: Sendable, Hashable {
        /// The message that JavaScript engines print for the error.
        public let message: String
    }

    /// The kind of error.
    public let code: Code

    /// The place: the UTF-16 code unit of the pattern at which the invalid part starts, counted from 0. For an invalid
    /// flag, its place in the flags.
    public let offset: Int

    init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension RegExpSyntaxError: CustomStringConvertible {
    /// The message and the place. The pattern, which may be long and is known to the caller, is not quoted.
    public var description: String {
        let subject = code.concernsFlags ? "Invalid flags supplied to RegExp constructor" : "Invalid regular expression"
        return "\(subject): \(code.message) (at code unit \(offset))"
    }
}

extension RegExpSyntaxError.Code {
    /// A quantifier without an atom before it: at the beginning, after another quantifier, or after an assertion.
    public static let nothingToRepeat = Self(message: "Nothing to repeat")
    /// `{2,1}`.
    public static let quantifierOutOfOrder = Self(message: "numbers out of order in {} quantifier")
    /// A `(` without its `)`.
    public static let unterminatedGroup = Self(message: "Unterminated group")
    /// A `)` without its `(`.
    public static let unmatchedParenthesis = Self(message: "Unmatched ')'")
    /// An unknown group after `(?`, including malformed modifiers.
    public static let invalidGroup = Self(message: "Invalid group")
    /// `(?<` or `\k<` without an identifier and its `>`.
    public static let invalidGroupName = Self(message: "Invalid capture group name")
    /// The same name on two groups that can participate in one match.
    public static let duplicateGroupName = Self(message: "Duplicate capture group name")
    /// An incomplete `\k` in a pattern with named groups.
    public static let invalidNamedReference = Self(message: "Invalid named reference")
    /// A `\k<name>` without a group of that name.
    public static let unknownGroupName = Self(message: "Invalid named capture referenced")
    /// A `[` without its `]`.
    public static let unterminatedClass = Self(message: "Unterminated character class")
    /// `[z-a]`.
    public static let rangeOutOfOrder = Self(message: "Range out of order in character class")
    /// A lone `]`, `{` or `}`, with the flag `u` or `v`.
    public static let loneBracket = Self(message: "Lone quantifier brackets")
    /// A `\p` with an unknown name, or with a property of strings where only code points are allowed.
    public static let invalidProperty = Self(message: "Invalid property name")
    /// A class that the flag `u` or `v` forbids, such as `[a-\d]`, or `[a&&&b]` with `v`.
    public static let invalidClass = Self(message: "Invalid character class")
    /// A `[^…]` that may contain texts other than single code points.
    public static let invertedStrings = Self(message: "Negated character class may contain strings")
    /// An escape that the flags, or other parts of the pattern, forbid.
    public static let invalidEscape = Self(message: "Invalid escape")
    /// A lone backslash at the end.
    public static let trailingBackslash = Self(message: "\\ at end of pattern")
    /// More than `RegExpLimits.captures` groups.
    public static let tooManyCaptures = Self(message: "Too many captures")
    /// Groups nested deeper than `RegExpLimits.nesting`, or classes nested deeper than `RegExpLimits.classNesting`.
    public static let nestedTooDeep = Self(message: "Groups or classes nested too deep")
    /// A pattern longer than `RegExpLimits.patternLength`, or with classes that take too much work.
    public static let tooLarge = Self(message: "Regular expression too large")
    /// A flag that JavaScript does not have.
    public static let unknownFlag = Self(message: "unknown flag")
    /// The same flag twice.
    public static let repeatedFlag = Self(message: "flag given twice")
    /// `u` and `v` together.
    public static let conflictingFlags = Self(message: "flags u and v exclude each other")

    fileprivate var concernsFlags: Bool {
        self == .unknownFlag || self == .repeatedFlag || self == .conflictingFlags
    }
}
