/// The position and the reason at which a text is not JSON, or exceeds the limits.
package struct JSONSyntaxError: Error, Sendable, Equatable {
    /// The kind of error.
    package enum Code: Sendable {
        /// The document ends too early, but not within a UTF-8 sequence.
        case endsEarly
        /// An unexpected byte.
        case unexpected
        /// A byte is not UTF-8, or the document ends within a UTF-8 sequence.
        case notUTF8
        /// Containers are nested deeper than ``JSONLimits/depth``.
        case tooDeep
        /// There are more values than ``JSONLimits/values``.
        case tooManyValues
        /// There are more distinct member names than ``JSONLimits/names``.
        case tooManyNames
        /// There are more bytes than ``JSONLimits/length``.
        case tooLong
    }

    /// The kind of error.
    package let code: Code

    /// Offset of the first unexpected byte, from 0.
    package let offset: Int

    /// The line, from 1.
    package let line: Int

    /// The column in the line, from 1, in Unicode scalars. A byte order mark does not count.
    package let column: Int

    /// What was expected there, or the limit that was exceeded, as part of a sentence.
    package let expected: String
}

extension JSONSyntaxError {
    /// Creates the error for a `failure` in a document with these bytes.
    init(_ failure: JSONFailure, in bytes: ByteText, start: Int, limits: JSONLimits) {
        offset = failure.offset
        (line, column) = Self.place(of: offset, in: bytes, start: start)
        expected = failure.reason.expectation(under: limits)
        code =
            switch failure.reason {
            case .tooDeep: .tooDeep
            case .tooManyValues: .tooManyValues
            case .tooManyNames: .tooManyNames
            case .tooLong: .tooLong
            case _ where offset == bytes.count: .endsEarly
            case .utf8: .notUTF8
            default: .unexpected
            }
    }

    /// Line and column of the byte at `offset`.
    private static func place(
        of offset: Int, in bytes: ByteText, start: Int
    ) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        var index = start
        while index < offset {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xc0 != 0x80 {
                // Each scalar has exactly one byte that is not a continuation byte.
                column += 1
            }
            index += 1
        }
        return (line, column)
    }
}

extension JSONFailure.Reason {
    fileprivate func expectation(under limits: JSONLimits) -> String {
        switch self {
        case .value: "a value"
        case .name: "a member's name in double quotes"
        case .nameOrEndOfObject: "a member's name in double quotes or '}'"
        case .colon: "':'"
        case .commaOrEndOfArray: "',' or ']'"
        case .commaOrEndOfObject: "',' or '}'"
        case .endOfDocument: "the end of the document"
        case .endOfNumber: "no digit after a leading zero"
        case .digit: "a digit"
        case .hexDigits: "four hexadecimal digits"
        case .escape: "one of \" \\ / b f n r t u after '\\'"
        case .endOfText: "'\"'"
        case .controlCharacter: "an escape instead of a control character"
        case .utf8: "UTF-8"
        case .tooDeep: "at most \(limits.depth) arrays and objects in one another"
        case .tooManyValues: "at most \(limits.values) values"
        case .tooManyNames: "at most \(limits.names) different names of members"
        case .tooLong: "at most \(limits.length) bytes"
        }
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The position and the expectation, on one line.
    package var description: String { "line \(line), column \(column): expected \(expected)." }
}
