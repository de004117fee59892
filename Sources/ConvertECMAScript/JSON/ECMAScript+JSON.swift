extension ECMAScript {
    /// `JSON.parse` (ECMA-262 §25.5.1) of a document in UTF-8, with or without a byte order mark.
    ///
    /// - If several members have the same name, the last value counts, in the place of the first member. Names that are
    ///   array indexes precede other names, in ascending order.
    /// - A number beyond the range of a double becomes infinite. Integers of up to 64 bits are exact.
    /// - Lone surrogates are kept. Bytes that are not UTF-8 are an error, because their original text cannot be
    ///   recovered.
    ///
    /// Parsing takes one pass and linear time. It copies the bytes, and allocates memory for each value and each
    /// distinct name; ``JSONLimits`` limits both. Nesting takes no call stack.
    ///
    /// - Parameters:
    ///   - bytes: the document. It is copied.
    ///   - limits: the limits of the document.
    ///   - vocabulary: the member names that the reader looks up by number.
    /// - Throws: ``JSONSyntaxError`` with the position of the first unexpected byte.
    package static func parseJSON(
        _ bytes: ByteText, limits: JSONLimits = JSONLimits(), vocabulary: JSONVocabulary? = nil
    ) throws(JSONSyntaxError) -> JSONDocument {
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        return try parseJSON(bytes, from: start, limits, vocabulary)
    }

    /// `JSON.parse` of a text, like ``parseJSON(_:limits:vocabulary:)-(ByteText,_,_)``. In a text, a byte order mark is
    /// an ordinary character, and therefore an error.
    package static func parseJSON(
        _ text: String, limits: JSONLimits = JSONLimits(), vocabulary: JSONVocabulary? = nil
    ) throws(JSONSyntaxError) -> JSONDocument {
        let result = text.withUTF8Bytes { bytes in
            Result { () throws(JSONSyntaxError) in try parseJSON(bytes, from: 0, limits, vocabulary) }
        }
        return try result.get()
    }

    private static func parseJSON(
        _ bytes: ByteText, from start: Int, _ limits: JSONLimits, _ vocabulary: JSONVocabulary?
    ) throws(JSONSyntaxError) -> JSONDocument {
        var limits = limits
        limits.length = min(limits.length, JSONNode.maximumLength)
        do {
            return try parse(bytes, from: start, limits, vocabulary)
        } catch {
            throw JSONSyntaxError(error, in: bytes, start: start, limits: limits)
        }
    }

    private static func parse(
        _ bytes: ByteText, from start: Int, _ limits: JSONLimits, _ vocabulary: JSONVocabulary?
    ) throws(JSONFailure) -> JSONDocument {
        if bytes.count > limits.length { throw JSONFailure(reason: .tooLong, offset: 0) }
        let source = PaddedBytes(copying: bytes)
        let names = vocabulary?.makeNameTable() ?? JSONNameTable()
        var parser = JSONParser(source: source, start: start, limits: limits, names: names)
        try parser.parse()
        return JSONDocument(parser, vocabulary: vocabulary)
    }
}
