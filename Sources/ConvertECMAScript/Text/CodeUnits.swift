extension String {
    /// Whether both texts consist of the same UTF-16 code units, which for well-formed text means the same UTF-8.
    ///
    /// Swift's `==` is canonical equivalence, which JavaScript does not know.
    package func hasSameCodeUnits(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
