/// The number of rows of each kind in ``AttributeRows``, and the offsets at which they begin.
struct AttributeLayout: Sendable, BitwiseCopyable {
    let slotCount: Int
    let truthCount: Int
    let verdictCount: Int

    init(slots: Int, truths: Int = 0, verdicts: Int = 0) {
        slotCount = slots
        truthCount = truths
        verdictCount = verdicts
    }

    /// Bytes before the first truth.
    var truthOffset: Int { @inline(__always) get { slotCount &* MemoryLayout<Attribute>.stride } }

    /// Bytes before the first verdict.
    var verdictOffset: Int { @inline(__always) get { truthOffset &+ truthCount } }

    /// The number of words that all rows take together.
    var wordCount: Int { @inline(__always) get { (verdictOffset &+ verdictCount &+ 7) / 8 } }
}
