internal import ConvertECMAScript

/// The attributes of one context in the slots of an ``AttributeSlots``, and what was found on them: where all that lies
/// in an ``AttributeStorage``, which has the invariants.
struct AttributeTable: BitwiseCopyable {
    /// Where the first slot lies.
    let slotStart: UnsafeMutablePointer<Attribute>
    let slotCount: Int
    let truths: UnsafeMutableBufferPointer<Truth>
    /// For each rule set 0, or its verdict's raw value + 1.
    let verdicts: UnsafeMutableBufferPointer<UInt8>
    var texts: AttributeTexts
    /// Whether the verdicts that a sweep finds are there.
    var hasSweptVerdicts = false

    /// The object that attributes come from.
    let source: JSObject.View

    @inline(__always)
    init(
        _ source: JSObject.View, slots: UnsafeMutablePointer<Attribute>, slotCount: Int,
        truths: UnsafeMutableBufferPointer<Truth>, verdicts: UnsafeMutableBufferPointer<UInt8>, texts: AttributeTexts
    ) {
        slotStart = slots
        self.slotCount = slotCount
        self.truths = truths
        self.verdicts = verdicts
        self.texts = texts
        self.source = source
    }

    var slots: UnsafeMutableBufferPointer<Attribute> {
        @inline(__always) get { UnsafeMutableBufferPointer(start: slotStart, count: slotCount) }
    }

    /// Takes what `other`, which has as much of everything, found.
    mutating func copyContents(of other: AttributeTable) {
        _ = slots.update(fromContentsOf: other.slots)
        _ = truths.update(fromContentsOf: other.truths)
        _ = verdicts.update(fromContentsOf: other.verdicts)
        texts.copyContents(of: other.texts)
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

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined, or nobody has looked yet.
    func value(in slot: Int) -> JSValue? {
        guard slots.indices.contains(slot) else { return nil }
        switch slots[slot].kind {
        case .unresolved, .absent, .undefined: return nil
        default: return source.members[Int(slots[slot].member)].value
        }
    }

    func clearSkipped() {
        for index in truths.indices where truths[index] == .skipped { truths[index] = .unknown }
    }

    mutating func clearAnswers() {
        truths.update(repeating: .unknown)
        verdicts.update(repeating: 0)
        hasSweptVerdicts = false
    }
}
