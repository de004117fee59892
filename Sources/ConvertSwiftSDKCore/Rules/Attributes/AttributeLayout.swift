/// The number of rows of each kind in ``AttributeRows``, and the offsets at which they begin.
struct AttributeLayout: Sendable, BitwiseCopyable {
    let slotCount: Int
    var truthCount = 0
    var verdictCount = 0

    /// Bytes before the first truth.
    var truthOffset: Int { @inline(__always) get { slotCount &* MemoryLayout<Attribute>.stride } }

    /// Bytes before the first verdict.
    var verdictOffset: Int { @inline(__always) get { truthOffset &+ truthCount } }

    /// The number of words that all rows take together.
    var wordCount: Int { @inline(__always) get { (verdictOffset &+ verdictCount &+ 7) / 8 } }
}
