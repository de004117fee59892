internal import ConvertECMAScript

/// The attributes of one context in the slots of an ``AttributeSlots``, with the cached answers.
///
/// Invariant: a table is used only while its ``AttributeRows`` live.
@safe
struct AttributeTable {
    let layout: AttributeLayout
    private let slots: UnsafeMutablePointer<Attribute>
    // Stored, because computing it takes longer than the text look-ups that it saves (W3).
    private let truths: MutableBorrowed<Truth>

    @inline(__always)
    init(_ start: UnsafeMutableRawPointer, _ layout: AttributeLayout) {
        self.layout = layout
        unsafe slots = start.assumingMemoryBound(to: Attribute.self)
        unsafe truths = MutableBorrowed(
            UnsafeMutableBufferPointer(
                start: (start + layout.truthOffset).assumingMemoryBound(to: Truth.self), count: layout.truthCount))
    }

    /// For each rule set its verdict's raw value + 1, or 0 if there is no verdict.
    var verdicts: MutableBorrowed<UInt8> {
        @inline(__always)
        get {
            let start = unsafe UnsafeMutableRawPointer(slots) + layout.verdictOffset
            return unsafe MutableBorrowed(
                UnsafeMutableBufferPointer(
                    start: start.assumingMemoryBound(to: UInt8.self), count: layout.verdictCount))
        }
    }

    /// Copies the contents of `other`, which has the same layout.
    func copyContents(of other: AttributeTable) {
        unsafe slots.update(from: other.slots, count: layout.slotCount)
        truths.update(from: other.truths)
        verdicts.update(from: other.verdicts)
    }

    /// The attribute in `slot`, which must be a slot of the layout; debug builds check it.
    subscript(slot: Int) -> Attribute {
        @inline(__always) unsafeAddress {
            assert(slot >= 0 && slot < layout.slotCount)
            return unsafe UnsafePointer(slots + slot)
        }
        @inline(__always) nonmutating unsafeMutableAddress {
            assert(slot >= 0 && slot < layout.slotCount)
            return unsafe slots + slot
        }
    }

    /// The cached answer of a comparison. Comparisons beyond ``Attributes/keptTruths`` are not cached.
    subscript(truth comparison: Int) -> Truth {
        @inline(__always) get { comparison < truths.count ? truths[comparison] : .unknown }
        @inline(__always) nonmutating set { if comparison < truths.count { truths[comparison] = newValue } }
    }

    /// The cached verdict of rule set `index`. Rule sets beyond the layout's number of verdicts are not cached.
    subscript(verdict index: Int) -> UInt8 {
        @inline(__always) get { verdicts.indices.contains(index) ? verdicts[index] : 0 }
        @inline(__always) nonmutating set { if verdicts.indices.contains(index) { verdicts[index] = newValue } }
    }

    /// Index in the source object of the attribute in `slot`; `nil` if it is absent, undefined, or not read yet.
    func member(in slot: Int) -> Int? {
        guard slot < layout.slotCount else { return nil }
        switch self[slot].kind {
        case .unresolved, .absent, .undefined: return nil
        default: return Int(self[slot].member)
        }
    }

    func clearSkipped() {
        for index in truths.indices where truths[index] == .skipped { truths[index] = .unknown }
    }

    func clearAnswers() {
        truths.update(repeating: .unknown)
        verdicts.update(repeating: 0)
    }
}
