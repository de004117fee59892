extension ECMAScript {
    /// `JSON.parse` (ECMA-262 §25.5.1) of a document in UTF-8, which may begin with a byte order mark.
    ///
    /// Of members with one name the last one counts, at the first one's place; names that are array indexes come first, in
    /// ascending order. A number beyond the range of a double is infinite. Integers of up to 64 bits are exact. A surrogate
    /// without its other half is kept. Bytes that are not UTF-8 are refused: what they stood for is lost.
    ///
    /// It takes one pass and linear time. Besides a copy of the bytes it takes memory for each value and each different name,
    /// which ``JSONLimits`` bounds. Nesting costs no stack.
    ///
    /// - Parameters:
    ///   - bytes: the document. It is copied.
    ///   - limits: what the document may need.
    ///   - vocabulary: the member names that the reader asks for by number.
    /// - Throws: ``JSONSyntaxError`` with the place of the first byte that does not fit.
    package static func parseJSON(
        _ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits = JSONLimits(), vocabulary: JSONVocabulary? = nil
    ) throws(JSONSyntaxError) -> JSONDocument {
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        return try parseJSON(bytes, from: start, limits, vocabulary)
    }

    /// `JSON.parse` of a text, in which a byte order mark is a character like any other and refused. Else as
    /// ``parseJSON(_:limits:vocabulary:)-(UnsafeBufferPointer<UInt8>,_,_)``.
    package static func parseJSON(
        _ text: String, limits: JSONLimits = JSONLimits(), vocabulary: JSONVocabulary? = nil
    ) throws(JSONSyntaxError) -> JSONDocument {
        let result = text.withUTF8Bytes { bytes in
            Result { () throws(JSONSyntaxError) in try parseJSON(bytes, from: 0, limits, vocabulary) }
        }
        return try result.get()
    }

    private static func parseJSON(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ limits: JSONLimits, _ vocabulary: JSONVocabulary?
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
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ limits: JSONLimits, _ vocabulary: JSONVocabulary?
    ) throws(JSONFailure) -> JSONDocument {
        if bytes.count > limits.length { throw JSONFailure(reason: .tooLong, offset: 0) }
        let source = PaddedBytes(copying: bytes)
        let names = vocabulary?.makeNameTable() ?? JSONNameTable()
        var parser = JSONParser(source: source, start: start, limits: limits, names: names)
        try parser.parse()
        return JSONDocument(parser, vocabulary: vocabulary)
    }
}
