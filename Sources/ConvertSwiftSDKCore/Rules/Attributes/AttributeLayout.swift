/// How much an ``AttributeStorage`` has of everything that begins as zeros.
struct AttributeLayout: Sendable, BitwiseCopyable {
    let slotCount: Int
    let truthCount: Int
    let verdictCount: Int
    /// The bytes that all of it takes.
    let byteCount: Int

    init(slots: Int, truths: Int = 0, verdicts: Int = 0) {
        slotCount = slots
        truthCount = truths
        verdictCount = verdicts
        byteCount = slots * MemoryLayout<Attribute>.stride + truths + verdicts
    }
}
