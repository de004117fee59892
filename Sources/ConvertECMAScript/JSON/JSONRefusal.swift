/// Why bytes were rejected as a JSON document, as one sentence for the document's author.
package struct JSONRefusal: Error {
    /// Whether the document exceeds the limit of values, names or bytes. Such a document is valid JSON as far as it was
    /// read.
    package let isTooLarge: Bool
    /// What is wrong, where, and how to fix it.
    package let message: String

    fileprivate init(_ error: JSONSyntaxError, in bytes: ByteText, remedy: String) {
        if let format = ForeignFormat(insteadOfJSON: bytes) {
            isTooLarge = false
            message = "the document is \(format)."
            return
        }
        let place = "line \(error.line), column \(error.column)"
        switch error.code {
        case .tooManyValues, .tooManyNames, .tooLong: isTooLarge = true
        case .endsEarly, .unexpected, .notUTF8, .tooDeep: isTooLarge = false
        }
        message =
            switch error.code {
            case .endsEarly where bytes.isEmpty: "the document is empty; expected JSON."
            case .endsEarly:
                "the document ends too early, at \(place), where \(error.expected) is expected; \(remedy)."
            case .unexpected: "not valid JSON at \(place): expected \(error.expected); \(remedy)."
            case .notUTF8: "the document holds bytes that are not UTF-8, at \(place); \(remedy)."
            case .tooDeep: "nested too deep at \(place): \(error.expected) are read; flatten it."
            case .tooManyValues, .tooManyNames, .tooLong:
                "the document is too large, \(error.expected) are read; split or shrink it."
            }
    }
}

extension ECMAScript {
    /// Parses a document like ``parseJSON(_:limits:vocabulary:)``, but throws an error with a message for its author.
    ///
    /// - Parameter remedy: advice for bytes that are not JSON.
    package static func readJSON(
        _ bytes: ByteText, limits: JSONLimits = JSONLimits(), vocabulary: JSONVocabulary? = nil,
        remedy: String
    ) throws(JSONRefusal) -> JSONDocument {
        do throws(JSONSyntaxError) {
            return try parseJSON(bytes, limits: limits, vocabulary: vocabulary)
        } catch {
            throw JSONRefusal(error, in: bytes, remedy: remedy)
        }
    }
}
