/// A JSON document that was parsed: a row of small nodes, a table of member names, and the texts where they stood.
///
/// Nothing is made of a value before a ``JSONCursor`` is asked for it. Use it from one thread at a time: names and texts are
/// made when they are first asked for, and kept.
package final class JSONDocument {
    private let contents: Owned<JSONStorage.Contents>
    private let vocabulary: JSONVocabulary?

    /// What `parser`, which has come to its end, made of a document.
    init(_ parser: consuming JSONParser, vocabulary: JSONVocabulary?) {
        contents = Owned(JSONStorage.Contents(parser, keys: vocabulary?.keys ?? []))
        self.vocabulary = vocabulary
    }

    /// How many values there are, arrays and objects and what they hold counted alike.
    package var valueCount: Int { JSONStorage(contents).nodeCount }

    /// Passes the document's value to `body`, in which alone it and what is reached from it may be used.
    package func withRoot<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(JSONCursor(storage: JSONStorage(contents), index: 0))
    }
}
