internal import ConvertECMAScript

/// The attributes of one context in the slots of an ``AttributeSlots``, with the cached answers. Invariant: it is used
/// only inside the ``AttributeRows/withTable(_:)`` call that passes it.
struct AttributeTable {
    private let header: UnsafeMutablePointer<AttributeHeader>
    let slots: UnsafeMutablePointer<Attribute>
    // Stored, because computing it takes longer than the text look-ups that it saves (W3).
    private let truths: UnsafeMutableBufferPointer<Truth>

    @inline(__always)
    init(_ header: UnsafeMutablePointer<AttributeHeader>, _ words: UnsafeMutablePointer<UInt64>) {
        self.header = header
        let start = UnsafeMutableRawPointer(words)
        slots = start.assumingMemoryBound(to: Attribute.self)
        let layout = header.pointee.layout
        truths = UnsafeMutableBufferPointer(
            start: (start + layout.truthOffset).assumingMemoryBound(to: Truth.self), count: layout.truthCount)
    }

    var layout: AttributeLayout { @inline(__always) get { header.pointee.layout } }

    /// Whether a sweep has stored its verdicts.
    var hasSweptVerdicts: Bool {
        get { header.pointee.hasSweptVerdicts }
        nonmutating set { header.pointee.hasSweptVerdicts = newValue }
    }

    /// For each rule set its verdict's raw value + 1, or 0 if there is no verdict.
    var verdicts: UnsafeMutableBufferPointer<UInt8> {
        @inline(__always)
        get {
            let start = UnsafeMutableRawPointer(slots) + layout.verdictOffset
            return UnsafeMutableBufferPointer(
                start: start.assumingMemoryBound(to: UInt8.self), count: layout.verdictCount)
        }
    }

    /// Copies the contents of `other`, which has the same layout.
    func copyContents(of other: AttributeTable) {
        slots.update(from: other.slots, count: layout.slotCount)
        _ = truths.update(fromContentsOf: other.truths)
        _ = verdicts.update(fromContentsOf: other.verdicts)
        hasSweptVerdicts = other.hasSweptVerdicts
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

    /// Index of the member that the attribute in `slot` came from; `nil` if it is absent, undefined, or not read yet.
    func member(in slot: Int) -> Int? {
        guard slot < layout.slotCount else { return nil }
        switch slots[slot].kind {
        case .unresolved, .absent, .undefined: return nil
        default: return Int(slots[slot].member)
        }
    }

    func clearSkipped() {
        for index in truths.indices where truths[index] == .skipped { truths[index] = .unknown }
    }

    func clearAnswers() {
        truths.update(repeating: .unknown)
        verdicts.update(repeating: 0)
        hasSweptVerdicts = false
    }
}
