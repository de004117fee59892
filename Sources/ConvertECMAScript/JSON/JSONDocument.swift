import ConvertConcurrency

/// A parsed JSON document: an array of small nodes, a table of member names, and the texts in their original place.
///
/// Values are converted only when a ``JSONCursor`` reads them. Use a document from one thread at a time: names and
/// texts are created on first use, and cached.
package final class JSONDocument {
    private let contents: Owned<JSONStorage.Contents>
    private let vocabulary: JSONVocabulary?

    /// Creates a document from a parser that has reached the end.
    init(_ parser: consuming JSONParser, vocabulary: JSONVocabulary?) {
        contents = Owned(JSONStorage.Contents(parser, keys: vocabulary?.keys ?? []))
        self.vocabulary = vocabulary
    }

    /// The number of values; arrays, objects and their contents all count.
    package var valueCount: Int { JSONStorage(contents).nodeCount }

    /// Calls `body` with the document's root. Cursors may be used only inside this call.
    package func withRoot<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(JSONCursor(storage: JSONStorage(contents), index: 0))
    }
}
