internal import ConvertECMAScript

/// What conditions read of the attribute in one slot.
struct SlotRow: Sendable, BitwiseCopyable {
    /// The bits of the attribute's name, which the program's ``AttributeSlots`` keep; none of the nameless one.
    let name: StringBits
    let hash: UInt32
    /// The forms in which it is read.
    let needs: AttributeForms
    /// Whether its text is only looked up, and among so few that each is compared.
    let isOnlyCompared: Bool
    /// Range of the texts that rules name, among the program's ``InternedTexts``.
    let texts: TableRange

    init(_ slot: Int, in slots: borrowing AttributeSlots, _ texts: InternedTexts.Frozen) {
        let key = slot == AttributeSlots.nameless ? nil : slots.key(at: slot)
        needs = slots.needs[slot]
        name = key.map { StringBits($0.name) } ?? StringBits()
        hash = key?.hash ?? 0
        self.texts = texts.texts(of: slot)
        isOnlyCompared = needs.isSubset(of: .numbers) && self.texts.count <= InternedTexts.Frozen.comparedTexts
    }
}
