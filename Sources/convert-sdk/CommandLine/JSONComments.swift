import Foundation

/// JSON with comments as in JavaScript: from `//` to the end of a line, and between `/*` and `*/`.
enum JSONComments {
    /// Replaces comments by blanks, so that places in error messages stay valid for the file.
    static func removed(from json: Data) -> Data {
        var result = json
        var index = result.startIndex
        var isInText = false
        while index < result.endIndex {
            let byte = result[index]
            let next = index + 1 < result.endIndex ? result[index + 1] : 0
            if isInText {
                if byte == UInt8(ascii: "\\") {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
                while index < result.endIndex, result[index] != UInt8(ascii: "\n") {
                    result[index] = UInt8(ascii: " ")
                    index += 1
                }
                continue
            } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                // The asterisk that begins the comment does not end it.
                result[index] = UInt8(ascii: " ")
                result[index + 1] = UInt8(ascii: " ")
                index += 2
                var isClosed = false
                while index < result.endIndex, !isClosed {
                    isClosed =
                        result[index] == UInt8(ascii: "*") && index + 1 < result.endIndex
                        && result[index + 1] == UInt8(ascii: "/")
                    if isClosed { result[index + 1] = UInt8(ascii: " ") }
                    // Line breaks stay, so that lines keep their numbers.
                    if result[index] != UInt8(ascii: "\n") { result[index] = UInt8(ascii: " ") }
                    index += isClosed ? 2 : 1
                }
                continue
            }
            index += 1
        }
        return result
    }
}
