internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The experiences of a config, with the questions that their audiences ask about other experiences.
struct ExperienceGraph {
    private let config: ProjectConfig
    /// The experiences in the order in which a call for all of them decides.
    let experiences: [ProjectConfig.Experience]
    private let audiences: [EntityID: [Int]]
    private let audienceQuestions: [BucketingQuestion?]
    private let ids: [PropertyKey: EntityID]
    private let places: [PropertyKey: Int]
    private let memo = Memo()

    /// The questions of experiences, by their indices. A class, because remembering a result is no change for the
    /// caller.
    private final class Memo {
        var questions: [Int: ExperienceQuestions] = [:]
    }

    init(_ config: ProjectConfig) {
        self.config = config
        experiences = config.experiences
        audiences = Dictionary(grouping: config.audiences.indices, by: { config.audiences[$0].id })
        audienceQuestions = config.audiences.map { $0.rules?.bucketingQuestion }
        ids = Dictionary(firstOf: experiences.map { ($0.entityKey.lookUp, $0.id) })
        places = Dictionary(firstOf: experiences.enumerated().map { ($1.id.key, $0) })
    }

    /// The graph of the same config with other experiences in place of its own.
    init(_ other: ExperienceGraph, replacingExperiencesBy experiences: [ProjectConfig.Experience]) {
        config = other.config
        self.experiences = experiences
        audiences = other.audiences
        audienceQuestions = other.audienceQuestions
        ids = Dictionary(firstOf: experiences.map { ($0.entityKey.lookUp, $0.id) })
        places = Dictionary(firstOf: experiences.enumerated().map { ($1.id.key, $0) })
    }

    /// The indices of the audiences of `experience` in config order.
    ///
    /// - Parameter isBucketed: whether a decision for `experience` is stored. Then permanent audiences are left out,
    ///   because they are not checked.
    func audiencePlaces(of experience: ProjectConfig.Experience, isBucketed: Bool) -> [Int] {
        var places: Set<Int> = []
        for id in experience.audiences { places.formUnion(audiences[id] ?? []) }
        if isBucketed { places = places.filter { !config.audiences[$0].isPermanent } }
        return places.sorted()
    }

    /// The question about an experience that the audience at `place` stands for; `nil` if it has other rules.
    func question(ofAudience place: Int) -> BucketingQuestion? { audienceQuestions[place] }

    /// The index of the first experience with this id; `nil` if no experience has it.
    func place(of id: PropertyKey) -> Int? { places[id] }

    /// The id of the first experience with this key; `nil` if no experience has it.
    func id(forKey key: PropertyKey) -> EntityID? { ids[key] }

    /// The experiences that audiences of `experience` ask about. Each question says whether a call for all experiences
    /// decides the other experience first.
    func questions(of experience: ProjectConfig.Experience) -> ExperienceQuestions {
        var questions = ExperienceQuestions()
        guard let own = places[experience.id.key] else { return questions }
        // An experience of another config may have other audiences.
        let isOwn = experiences[own].audiences == experience.audiences
        if isOwn, let known = memo.questions[own] { return known }
        for place in experience.audiences.flatMap({ audiences[$0] ?? [] }) {
            guard let question = audienceQuestions[place],
                let id = ids[question.experienceKey]?.key, let other = places[id]
            else { continue }
            questions.append(
                ExperienceQuestion(
                    id: id, key: question.experienceKey.text, keepsOut: question.keepsOut, letsIn: !question.keepsOut,
                    isDecidedBefore: other < own))
        }
        if isOwn { memo.questions[own] = questions }
        return questions
    }

    /// The experiences that affect the decision of `experience` in a call for all experiences, in config order.
    ///
    /// These are `experience` itself and all experiences that its audiences ask about, directly or through another one.
    ///
    /// - Parameters:
    ///   - isFirstOfTwo: whether a second call follows, which also knows the decisions for later experiences.
    ///   - limit: the number of experiences after which the search stops.
    func decided(
        for experience: ProjectConfig.Experience, isFirstOfTwo: Bool = false, limit: Int = .max
    ) -> [ProjectConfig.Experience] {
        guard let own = place(of: experience.id.key) else { return [] }
        var places: Set<Int> = [own]
        var pending = [experience]
        while places.count <= limit, let next = pending.popLast() {
            for question in questions(of: next) where question.isDecidedBefore || isFirstOfTwo {
                guard let place = place(of: question.id), places.insert(place).inserted else { continue }
                pending.append(experiences[place])
            }
        }
        return places.sorted().map { experiences[$0] }
    }

    /// The experience that calls find by the key of `experience`, if that is another one, which comes first in the
    /// config; otherwise `nil`.
    func experienceFound(insteadOf experience: ProjectConfig.Experience) -> ProjectConfig.Experience? {
        guard let id = ids[experience.entityKey.lookUp]?.key, id != experience.id.key else { return nil }
        return self.experience(id: id)
    }

    /// The first experience with this id; `nil` if no experience has it.
    func experience(id: PropertyKey) -> ProjectConfig.Experience? {
        places[id].map { experiences[$0] }
    }
}
