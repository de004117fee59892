internal import ConvertECMAScript

/// The attributes of one context in the slots of an ``AttributeSlots``, and what was found on them, as
/// ``AttributeRows/withTable(_:)`` passes them. Invariant: it is used only in that call.
struct AttributeTable {
    private let header: UnsafeMutablePointer<AttributeHeader>
    let slots: UnsafeMutablePointer<Attribute>
    // At hand, since it takes longer to find than the look-ups of texts that it spares (W3).
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

    /// Whether the verdicts that a sweep finds are there.
    var hasSweptVerdicts: Bool {
        get { header.pointee.hasSweptVerdicts }
        nonmutating set { header.pointee.hasSweptVerdicts = newValue }
    }

    /// For each rule set 0, or its verdict's raw value + 1.
    var verdicts: UnsafeMutableBufferPointer<UInt8> {
        @inline(__always)
        get {
            let start = UnsafeMutableRawPointer(slots) + layout.verdictOffset
            return UnsafeMutableBufferPointer(
                start: start.assumingMemoryBound(to: UInt8.self), count: layout.verdictCount)
        }
    }

    /// Takes what `other`, which has as many rows of each kind, found.
    func copyContents(of other: AttributeTable) {
        slots.update(from: other.slots, count: layout.slotCount)
        _ = truths.update(fromContentsOf: other.truths)
        _ = verdicts.update(fromContentsOf: other.verdicts)
        hasSweptVerdicts = other.hasSweptVerdicts
    }

    /// What is remembered of a comparison. Of those beyond ``Attributes/keptTruths`` nothing is.
    subscript(truth comparison: Int) -> Truth {
        @inline(__always) get { comparison < truths.count ? truths[comparison] : .unknown }
        @inline(__always) nonmutating set { if comparison < truths.count { truths[comparison] = newValue } }
    }

    /// What is remembered of rule set `index`; nothing is of those that there is no room for.
    subscript(verdict index: Int) -> UInt8 {
        @inline(__always) get { verdicts.indices.contains(index) ? verdicts[index] : 0 }
        @inline(__always) nonmutating set { if verdicts.indices.contains(index) { verdicts[index] = newValue } }
    }

    /// Index of the member that the attribute in `slot` was resolved from; `nil` if it is absent or undefined, or was not read
    /// yet.
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
