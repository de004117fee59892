internal import ConvertECMAScript

/// The name of the attribute in one slot, and the forms of it that conditions read.
struct SlotRow: Sendable, BitwiseCopyable {
    /// Range of the attribute's name in the bytes of all names.
    var name = TableRange()
    /// The name's hash.
    var hash: UInt32 = 0
    /// The forms that conditions read.
    let needs: AttributeForms
}
