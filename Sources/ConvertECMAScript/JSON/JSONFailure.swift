/// Why parsing stopped. The parser's callers receive a ``JSONSyntaxError``.
struct JSONFailure: Error, BitwiseCopyable {
    enum Reason: UInt8 {
        case value, name, nameOrEndOfObject, colon, commaOrEndOfArray, commaOrEndOfObject, endOfDocument
        case endOfNumber, digit, hexDigits, escape, endOfText, controlCharacter, utf8
        case tooDeep, tooManyValues, tooManyNames, tooLong
    }

    let reason: Reason
    /// Offset in the source of the first unexpected byte.
    let offset: Int
}
