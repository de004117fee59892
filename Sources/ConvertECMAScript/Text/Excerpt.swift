extension String {
    /// The text, cut after `length` Unicode scalars: what a message quotes of a document, which decides on the text's
    /// length.
    package func excerpt(_ length: Int = 40) -> String {
        // One `Character` may be megabytes long, so a prefix of characters would bound nothing.
        guard let end = unicodeScalars.index(startIndex, offsetBy: length, limitedBy: endIndex), end < endIndex else {
            return self
        }
        return self[..<end] + "…"
    }
}
