import ConvertECMAScript

/// Whether both are the same Number by SameValue: NaN is itself, and the zeros differ.
func isSameNumber(_ left: Double, _ right: Double) -> Bool {
    left.isNaN ? right.isNaN : left.bitPattern == right.bitPattern
}

/// The scalars of a text, which unlike the text are not compared by canonical equivalence.
func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

/// Calls `body` with the UTF-8 of `text`.
func withUTF8<Result>(_ text: String, _ body: (ByteText) -> Result) -> Result {
    Array(text.utf8).withElements(body)
}
