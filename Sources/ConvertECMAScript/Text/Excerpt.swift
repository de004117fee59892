extension String {
    /// The text, cut after `length` Unicode scalars. Messages quote texts of documents with it, because these texts can
    /// be arbitrarily long.
    package func excerpt(_ length: Int = 40) -> String {
        // A single `Character` may have megabytes, so a prefix of characters would not limit the length.
        guard let end = unicodeScalars.index(startIndex, offsetBy: length, limitedBy: endIndex), end < endIndex else {
            return self
        }
        return self[..<end] + "…"
    }
}
