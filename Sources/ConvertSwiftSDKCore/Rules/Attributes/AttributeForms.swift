/// The forms of an attribute that some condition reads.
struct AttributeForms: OptionSet, Sendable {
    let rawValue: UInt8

    /// Its ToString.
    static let text = AttributeForms(rawValue: 1)
    /// The lowercase of its ToString.
    static let lowercase = AttributeForms(rawValue: 2)
    /// Its number, if it counts as one.
    static let number = AttributeForms(rawValue: 4)
    /// The number of its lowercase among the texts that rules name.
    static let equalNumber = AttributeForms(rawValue: 8)
    /// The number of its text as it is, or the text, if it has a `|`.
    static let listNumber = AttributeForms(rawValue: 16)

    /// What plain texts are looked up for, without a copy.
    static let numbers: AttributeForms = [.equalNumber, .listNumber]

    /// Whether something is needed that the text tells.
    var readsText: Bool { !isDisjoint(with: [.text, .lowercase, .equalNumber, .listNumber]) }
}
