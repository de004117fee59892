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

/// What an experience asks about others, in order, each of them once.
struct ExperienceQuestions: Sequence {
    private var all: [ExperienceQuestion] = []
    private var places: [PropertyKey: Int] = [:]

    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }

    /// The question about the experience with the id.
    subscript(id: PropertyKey) -> ExperienceQuestion? { places[id].map { all[$0] } }

    /// Adds a question, unless there is one about the experience already.
    mutating func append(_ question: ExperienceQuestion) {
        guard places[question.id] == nil else { return }
        places[question.id] = all.count
        all.append(question)
    }

    func makeIterator() -> IndexingIterator<[ExperienceQuestion]> { all.makeIterator() }
}
