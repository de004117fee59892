internal import ConvertECMAScript

/// What an experience asks about another one.
struct ExperienceQuestion {
    /// The id of the other experience.
    let id: PropertyKey
    /// Its key.
    let key: String
    /// Whether visitors of the other experience are kept out; else only they are let in.
    let keepsOut: Bool
    /// Whether a call for all experiences decides the other one before.
    let isDecidedBefore: Bool
}
