internal import ConvertECMAScript

extension JSValue {
    /// Calls `body` with a cursor on this value, as if a config contained it. Returns `nil` if the value is nested
    /// deeper than a config may be.
    func withConfigCursor<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let text = ECMAScript.jsonText(keepingNumbersOf: self)
        guard let document = try? ECMAScript.parseJSON(text, vocabulary: ConfigMember.vocabulary) else { return nil }
        return try document.withRoot(body)
    }
}
