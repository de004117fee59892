/// The forms of an attribute that some condition reads.
struct AttributeNeeds: OptionSet, Sendable {
    let rawValue: UInt8

    /// Its ToString.
    static let text = AttributeNeeds(rawValue: 1)
    /// The lowercase of its ToString.
    static let lowercase = AttributeNeeds(rawValue: 2)
    /// Its number, if it counts as one.
    static let number = AttributeNeeds(rawValue: 4)
    /// The number of its lowercase among the texts that rules name.
    static let equalNumber = AttributeNeeds(rawValue: 8)
    /// The number of its text as it is, or the text, if it has a `|`.
    static let listNumber = AttributeNeeds(rawValue: 16)
    /// The ``TextPairs`` of its lowercase.
    static let pairs = AttributeNeeds(rawValue: 32)
    /// The first bytes of its lowercase.
    static let beginning = AttributeNeeds(rawValue: 64)

    /// What plain texts are looked up for, without a copy.
    static let numbers: AttributeNeeds = [.equalNumber, .listNumber]

    /// Whether something is needed that the text tells.
    var readsText: Bool { !isDisjoint(with: [.text, .lowercase, .equalNumber, .listNumber]) }
}
