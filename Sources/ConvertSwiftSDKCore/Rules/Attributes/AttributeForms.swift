/// The forms of an attribute that conditions read.
struct AttributeForms: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The value's ToString.
    static let text = AttributeForms(rawValue: 1)
    /// The lowercase of the value's ToString.
    static let lowercase = AttributeForms(rawValue: 2)
    /// The value's number, if it counts as one.
    static let number = AttributeForms(rawValue: 4)
    /// The number of the lowercase text among the texts that rules name.
    static let equalNumber = AttributeForms(rawValue: 8)
    /// The number of the original text, or the text itself if it contains a `|`.
    static let listNumber = AttributeForms(rawValue: 16)

    /// The forms for which a plain text is only looked up, without a copy.
    static let numbers: AttributeForms = [.equalNumber, .listNumber]

    /// Whether any of the forms depends on the text.
    var readsText: Bool { !isDisjoint(with: [.text, .lowercase, .equalNumber, .listNumber]) }
}
