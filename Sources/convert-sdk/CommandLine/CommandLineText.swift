import Foundation

/// The arguments of the command line as text.
enum CommandLineText {
    /// The arguments after the tool's name.
    ///
    /// - Throws: ``UsageError`` if an argument is not UTF-8. Decoded with U+FFFD, it would name another visitor,
    ///   attribute or file.
    static func words() throws(UsageError) -> [String] {
        // Safe: the system ends each word with a zero, and the words stay unchanged until the process ends.
        let words = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return try unsafe texts(
            of: words.dropFirst().map { word in
                unsafe UnsafeBufferPointer(start: word, count: word.map { unsafe strlen($0) } ?? 0).map {
                    UInt8(bitPattern: $0)
                }
            })
    }

    /// Decodes arguments.
    static func texts(of words: [[UInt8]]) throws(UsageError) -> [String] {
        var texts: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw UsageError(message(of: word, number: texts.count + 1, behind: texts.last))
            }
            texts.append(text)
        }
        return texts
    }

    private static func message(of word: [UInt8], number: Int, behind last: String?) -> String {
        let start = word.prefix { $0 < 0x80 && $0 != UInt8(ascii: "=") }
        let place: String
        var text = word[...]
        if word.starts(with: "--".utf8), start.count < word.count, word[start.count] == UInt8(ascii: "=") {
            place = "the value of \(String(decoding: start, as: UTF8.self))"
            text = text.dropFirst(start.count + 1)
        } else if let last, last.hasPrefix("-"), last.count > 1, !last.contains("=") {
            place = "the argument after \(last)"
        } else {
            place = "argument \(number)"
        }
        return "\(place) is not UTF-8: its byte \(firstInvalidByte(of: text) + 1) cannot be read"
    }

    /// The index of the first byte that is not part of well-formed UTF-8.
    private static func firstInvalidByte(of word: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8.ForwardParser()
        var bytes = word.makeIterator()
        var length = 0
        while case .valid(let character) = decoder.parseScalar(from: &bytes) { length += character.count }
        return length
    }
}
