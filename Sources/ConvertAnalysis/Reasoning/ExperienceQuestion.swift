internal import ConvertECMAScript

/// What an experience asks about another one, in one or several audiences.
struct ExperienceQuestion {
    /// The id of the other experience.
    let id: PropertyKey
    /// The key of the other experience.
    let key: String
    /// Whether an audience keeps out the visitors of the other experience.
    var keepsOut = false
    /// Whether an audience lets in only the visitors of the other experience.
    var letsIn = false
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

    /// Adds a question. Several about one experience become one.
    mutating func append(_ question: ExperienceQuestion) {
        guard let place = places[question.id] else {
            places[question.id] = all.count
            all.append(question)
            return
        }
        all[place].keepsOut = all[place].keepsOut || question.keepsOut
        all[place].letsIn = all[place].letsIn || question.letsIn
    }

    func makeIterator() -> IndexingIterator<[ExperienceQuestion]> { all.makeIterator() }
}
