internal import ConvertECMAScript

extension JSValue {
    /// Passes a cursor on this value, as a config would hold it, to `body`; `nil` if it is nested deeper than a config may be.
    func withConfigCursor<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let text = ECMAScript.jsonText(keepingNumbersOf: self)
        guard let document = try? ECMAScript.parseJSON(text, vocabulary: ConfigMember.vocabulary) else { return nil }
        return try document.withRoot(body)
    }
}
