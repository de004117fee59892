internal import ConvertECMAScript

/// The attributes of one context in the slots of an ``AttributeSlots``, and what was found on them: where all that lies
/// in an ``AttributeStorage``, which has the invariants.
struct AttributeTable: BitwiseCopyable {
    /// Where the first slot lies.
    let slotStart: UnsafeMutablePointer<Attribute>
    private let truthStart: UnsafeMutablePointer<Truth>
    private let verdictStart: UnsafeMutablePointer<UInt8>
    let layout: AttributeLayout
    var texts: AttributeTexts
    /// Whether the verdicts that a sweep finds are there.
    var hasSweptVerdicts = false

    /// The object that attributes come from.
    let source: JSObject.View

    @inline(__always)
    init(
        slotStart: UnsafeMutablePointer<Attribute>, truthStart: UnsafeMutablePointer<Truth>,
        verdictStart: UnsafeMutablePointer<UInt8>, layout: AttributeLayout, texts: AttributeTexts, source: JSObject.View
    ) {
        self.slotStart = slotStart
        self.truthStart = truthStart
        self.verdictStart = verdictStart
        self.layout = layout
        self.texts = texts
        self.source = source
    }

    var slots: UnsafeMutableBufferPointer<Attribute> {
        @inline(__always) get { UnsafeMutableBufferPointer(start: slotStart, count: layout.slotCount) }
    }

    private var truths: UnsafeMutableBufferPointer<Truth> {
        @inline(__always) get { UnsafeMutableBufferPointer(start: truthStart, count: layout.truthCount) }
    }

    /// For each rule set 0, or its verdict's raw value + 1.
    var verdicts: UnsafeMutableBufferPointer<UInt8> {
        @inline(__always) get { UnsafeMutableBufferPointer(start: verdictStart, count: layout.verdictCount) }
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
        @inline(__always) get { hasVerdict(at: index) ? verdictStart[index] : 0 }
        @inline(__always) nonmutating set { if hasVerdict(at: index) { verdictStart[index] = newValue } }
    }

    @inline(__always)
    private func hasVerdict(at index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: layout.verdictCount) }

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
