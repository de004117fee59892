internal import ConvertECMAScript

/// A question of an experience about another one.
struct ExperienceQuestion {
    /// The id of the other experience.
    let id: PropertyKey
    /// The key of the other experience.
    let key: String
    /// Whether visitors of the other experience are kept out. If `false`, only they are let in.
    let keepsOut: Bool
    /// Whether a call for all experiences decides the other experience first.
    let isDecidedBefore: Bool
}

/// The questions of an experience about others, in order, at most one about each.
struct ExperienceQuestions: Sequence {
    private var all: [ExperienceQuestion] = []
    private var places: [PropertyKey: Int] = [:]

    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }

    /// The question about the experience with this id; `nil` if no question is about it.
    subscript(id: PropertyKey) -> ExperienceQuestion? { places[id].map { all[$0] } }

    /// Adds a question, unless one about the same experience exists.
    mutating func append(_ question: ExperienceQuestion) {
        guard places[question.id] == nil else { return }
        places[question.id] = all.count
        all.append(question)
    }

    func makeIterator() -> IndexingIterator<[ExperienceQuestion]> { all.makeIterator() }
}
