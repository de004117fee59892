/// A JSON document that was parsed: a row of small nodes, a table of member names, and the texts where they stood.
///
/// Nothing is made of a value before a ``JSONCursor`` is asked for it. Use it from one thread at a time: names and texts are
/// made when they are first asked for, and kept.
package final class JSONDocument {
    let storage: JSONStorage
    private let vocabulary: JSONVocabulary?

    init(storage: JSONStorage, vocabulary: JSONVocabulary?) {
        self.storage = storage
        self.vocabulary = vocabulary
    }

    /// How many values there are, arrays and objects and what they hold counted alike.
    package var valueCount: Int { storage.nodeCount }

    deinit { storage.deallocate() }

    /// Passes the document's value to `body`, in which alone it and what is reached from it may be used.
    package func withRoot<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(JSONCursor(storage: storage, index: 0))
    }
}
