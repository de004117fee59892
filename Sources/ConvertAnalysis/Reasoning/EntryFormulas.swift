internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The entry conditions of experiences for new visitors, as formulas.
struct EntryFormulas {
    private let config: ProjectConfig
    private let pool: ConditionPool
    private let audiences: [EntityID: [Int]]
    private let locations: [EntityID: [Int]]
    private let segments: Set<EntityID>
    /// The questions of audiences about experiences, by the audiences' indices.
    private let audienceQuestions: [BucketingQuestion?]
    private let experienceIDs: [PropertyKey: String]
    private let experiencePlaces: [PropertyKey: Int]
    private let archive: EngineTrial
    private let earlier: Before?
    private let memo = Memo()

    /// The maximum number of literals in the formula for another experience. A larger formula is replaced by the
    /// literal for a stored decision.
    private static let mostLiterals = 2_000
    /// The maximum number of linked questions about other experiences to follow.
    private static let mostSteps = 64

    /// The condition that a visitor must meet, as far as the limits allow.
    struct Estimate {
        var formula: Formula
        /// Whether no limit was reached. Otherwise equal formulas of two configs may stand for different visitors.
        var isExact = true
        /// The number of linked questions in the formula.
        var steps = 0
    }

    /// The assumed stored decisions for other experiences.
    enum StoredDecisions: Hashable {
        /// No decisions, as for a visitor in the first call for all experiences.
        case none
        /// No decisions, except those for later experiences that the visitor must be in, because such a visitor may
        /// return. Such a visitor then also has the decisions that an earlier call makes for every visitor.
        case whereNeeded
        /// Any decisions, as for a returning visitor, perhaps of earlier configs: each may be stored or not.
        case any
        /// The decisions of a first call for all experiences, with the earlier config.
        case ofFirstCall
    }

    private struct Entry: Hashable {
        let place: Int
        let stored: StoredDecisions
    }

    /// A class, because a struct cannot contain itself.
    private final class Before {
        let entrances: EntryFormulas
        init(_ entrances: EntryFormulas) { self.entrances = entrances }
    }

    /// Results of earlier questions. A class, because remembering a result is no change for the caller.
    private final class Memo {
        var audiences: [Int: Formula] = [:]
        var locations: [Int: Formula] = [:]
        var entries: [Entry: Estimate] = [:]
        var otherRules: [Int: Formula] = [:]
        var questions: [Int: ExperienceQuestions] = [:]
    }

    /// - Parameters:
    ///   - project: the config.
    ///   - pool: the pool that numbers the conditions.
    ///   - before: the formulas of the config that decided visitors earlier; `nil` stands for this config.
    init(_ project: Project, pool: ConditionPool, before: EntryFormulas? = nil) {
        archive = EngineTrial(project, environment: nil)
        earlier = before.map(Before.init)
        let config = project.config
        self.config = config
        self.pool = pool
        func places(_ ids: [EntityID]) -> [EntityID: [Int]] {
            Dictionary(grouping: ids.indices, by: { ids[$0] })
        }
        audiences = places(config.audiences.map(\.id))
        locations = places(config.locations.map(\.id))
        segments = Set(config.segments.map(\.id))
        audienceQuestions = config.audiences.map { $0.rules?.bucketingQuestion }
        experienceIDs = Dictionary(firstOf: config.experiences.map { ($0.entityKey.lookUp, $0.id.text) })
        experiencePlaces = Dictionary(firstOf: config.experiences.enumerated().map { ($1.id.key, $0) })
    }

    /// The condition that a visitor meets the locations, audiences and segments of `experience`.
    ///
    /// - Parameter isBucketed: whether a decision for the experience is stored. Then permanent audiences are not
    ///   checked.
    func gates(of experience: ProjectConfig.Experience, isBucketed: Bool = false) -> Formula {
        location(of: experience) && audience(of: experience, isBucketed: isBucketed) && segment(of: experience)
    }

    /// The condition that a new visitor gets a variation of `experience` in a call for all experiences: the entry
    /// conditions, the environment and the bucket value. Questions about other experiences are replaced by the
    /// conditions for entering those earlier.
    ///
    /// - Parameter stored: the assumed stored decisions for other experiences.
    func entry(of experience: ProjectConfig.Experience, stored: StoredDecisions) -> Estimate {
        guard let place = experiencePlaces[experience.id.key] else { return Estimate(formula: .fails) }
        return entry(at: place, stored)
    }

    /// The same as ``entry(of:stored:)``, without the condition on the bucket value.
    ///
    /// - Parameter isBucketed: whether a decision for `experience` is stored.
    func passage(
        of experience: ProjectConfig.Experience, stored: StoredDecisions, isBucketed: Bool = false
    ) -> Estimate {
        estimate { answered in
            passage(of: experience, isBucketed: isBucketed) { answered(answer(to: $0, of: experience, stored)) }
        }
    }

    /// The same as ``passage(of:stored:isBucketed:)``, with questions about other experiences as literals.
    func ownPassage(of experience: ProjectConfig.Experience) -> Formula {
        passage(of: experience, answering: formula(of:))
    }

    /// As ``passage(of:stored:isBucketed:)``, with what is asked about other experiences answered as it is asked for.
    func otherRules(of experience: ProjectConfig.Experience, isBucketed: Bool = false) -> Formula {
        let place = isBucketed ? nil : experiencePlaces[experience.id.key]
        if let place, let known = memo.otherRules[place] { return known }
        let rules = passage(of: experience, isBucketed: isBucketed) { _ in .holds }
        if let place { memo.otherRules[place] = rules }
        return rules
    }

    private func entry(at place: Int, _ stored: StoredDecisions) -> Estimate {
        let key = Entry(place: place, stored: stored)
        if let known = memo.entries[key] { return known }
        // Decide the experiences in their order: each depends only on earlier ones, which are already known.
        for other in unknownPlaces(for: place, stored) {
            let experience = config.experiences[other]
            var found = passage(of: experience, stored: stored)
            found.formula = found.formula && room(of: experience)
            found.steps += 1
            // A constant formula does not depend on other experiences.
            if found.formula.known != nil { found = Estimate(formula: found.formula) }
            if found.steps > Self.mostSteps || found.formula.literalCount > Self.mostLiterals {
                found = Estimate(formula: storedDecision(experience.id.text), isExact: false)
            }
            memo.entries[Entry(place: other, stored: stored)] = found
        }
        return memo.entries[key] ?? Estimate(formula: .fails)
    }

    /// The indices of the experience at `place` and of all experiences that it depends on, except indices that `memo`
    /// already has an entry for.
    private func unknownPlaces(for place: Int, _ stored: StoredDecisions) -> [Int] {
        var places: Set<Int> = [place]
        var open = [place]
        while let next = open.popLast() {
            for question in questions(of: config.experiences[next]) where question.isDecidedBefore {
                guard let other = experiencePlaces[question.id],
                    memo.entries[Entry(place: other, stored: stored)] == nil, places.insert(other).inserted
                else { continue }
                open.append(other)
            }
        }
        return places.sorted()
    }

    /// The estimate of a formula that combines the estimates passed to `answered`.
    private func estimate(_ formula: (_ answered: (Estimate) -> Formula) -> Formula) -> Estimate {
        var result = Estimate(formula: .fails)
        result.formula = formula { part in
            result.isExact = result.isExact && part.isExact
            result.steps = max(result.steps, part.steps)
            return part.formula
        }
        return result
    }

    /// The same as ``passage(of:stored:isBucketed:)``, with the formulas of another config, `others`, answering the
    /// questions about other experiences as for its experience `asking`.
    func passage(
        of experience: ProjectConfig.Experience, asking others: EntryFormulas, of asking: ProjectConfig.Experience,
        stored: StoredDecisions, isBucketed: Bool = false
    ) -> Formula {
        passage(of: experience, isBucketed: isBucketed) { others.answer(to: $0, of: asking, stored).formula }
    }

    /// The same as ``gates(of:isBucketed:)`` for new visitors, with the experiences in questions looked up in the
    /// config of `others`.
    func gates(of experience: ProjectConfig.Experience, asking others: EntryFormulas) -> Formula {
        location(of: experience) && audience(of: experience, isBucketed: false, answering: others.formula(of:))
            && segment(of: experience)
    }

    private func passage(
        of experience: ProjectConfig.Experience, isBucketed: Bool = false,
        answering answer: (BucketingQuestion) -> Formula
    ) -> Formula {
        if archive.isArchived(experience) || !config.runsSomewhere(experience) { return .fails }
        let environment =
            experience.environmentName.map { name in
                Formula.literal(.init(proposition: .environment(PropertyKey(name)), isWanted: true))
            } ?? .holds
        let audience = audience(of: experience, isBucketed: isBucketed, answering: answer)
        return environment && location(of: experience) && audience && segment(of: experience)
    }

    /// The questions of `experience` about other experiences, without its other entry conditions; `nil` if any one of
    /// its audiences suffices, and not all of them ask about others.
    func questionPart(
        of experience: ProjectConfig.Experience, stored: StoredDecisions, isBucketed: Bool = false
    ) -> Formula? {
        let places = Set(experience.audiences.flatMap { audiences[$0] ?? [] }).sorted().filter {
            !isBucketed || !config.audiences[$0].isPermanent
        }
        if places.isEmpty { return .holds }
        let questions = places.compactMap { audienceQuestions[$0] }
        let answers = questions.map { answer(to: $0, of: experience, stored).formula }
        if experience.audienceMatching == .all { return .everyReduced(answers) }
        return questions.count == places.count ? .some(answers) : nil
    }

    /// The condition that a question of `experience` gets the wanted answer.
    private func answer(
        to question: BucketingQuestion, of experience: ProjectConfig.Experience, _ stored: StoredDecisions
    ) -> Estimate {
        let own = experiencePlaces[experience.id.key] ?? 0
        guard let id = experienceIDs[question.experienceKey], let place = experiencePlaces[PropertyKey(id)] else {
            return Estimate(formula: Formula(question.keepsOut))
        }
        var isIn = place < own ? entry(at: place, stored) : Estimate(formula: .fails)
        switch stored {
        case .none: break
        case .whereNeeded where place > own:
            if !question.keepsOut {
                isIn.formula = storedDecision(id)
            } else if entry(at: place, .none).formula.known == true {
                isIn.formula = .some(Set(neededDecisions(for: experience)).sorted().map { storedDecision($0) })
            }
        case .whereNeeded: break
        case .any: isIn.formula = isIn.formula || storedDecision(id)
        case .ofFirstCall:
            let before = earlier?.entrances ?? self
            if let place = before.experiencePlaces[PropertyKey(id)] {
                isIn = estimate { answered in answered(before.entry(at: place, .none)) || answered(isIn) }
            }
        }
        if question.keepsOut { isIn.formula = isIn.formula.negated }
        return isIn
    }

    /// The ids of later experiences whose visitors `experience` lets in, or others that it depends on.
    private func neededDecisions(for experience: ProjectConfig.Experience) -> [String] {
        decided(for: experience, isFirstOfTwo: true, limit: Self.mostSteps).flatMap { other in
            questions(of: other).filter { !$0.keepsOut && !$0.isDecidedBefore }.map(\.id.text)
        }
    }

    /// The condition that a decision is stored for the experience with this id.
    func storedDecision(_ id: String) -> Formula {
        .literal(.init(proposition: .storedDecision(id), isWanted: true))
    }

    /// The condition that the visitor's bucket value gets a variation of `experience`.
    func room(of experience: ProjectConfig.Experience) -> Formula {
        bucket(of: experience, BucketRuns(experience, under: pool.semantics).taken)
    }

    /// The condition that the visitor's bucket value is one of `values`.
    func bucket(of experience: ProjectConfig.Experience, _ values: BucketSet) -> Formula {
        if values.isEmpty { return .fails }
        if values == .all { return .holds }
        return .literal(.init(proposition: .bucket(experience.id.text, values), isWanted: true))
    }

    /// The condition that the locations or the site area match.
    func location(of experience: ProjectConfig.Experience) -> Formula {
        if experience.hasLocations {
            return .some(
                experience.locations.flatMap { locations[$0] ?? [] }.map { place in
                    memo.locations[place] ?? remember(config.locations[place].rules, .location, place, \.locations)
                })
        }
        guard let siteArea = experience.siteArea else { return .holds }
        return pool.formula(of: RuleAdapter(semantics: pool.semantics).flatten(siteArea), .location)
    }

    /// The condition that the audiences match: all of them or any, as the experience requires.
    func audience(of experience: ProjectConfig.Experience, isBucketed: Bool = false) -> Formula {
        audience(of: experience, isBucketed: isBucketed, answering: formula(of:))
    }

    private func audience(
        of experience: ProjectConfig.Experience, isBucketed: Bool, answering answer: (BucketingQuestion) -> Formula
    ) -> Formula {
        var places: Set<Int> = []
        for id in experience.audiences { places.formUnion(audiences[id] ?? []) }
        if isBucketed { places = places.filter { !config.audiences[$0].isPermanent } }
        var formulas = places.sorted().map { place in
            audienceQuestions[place].map(answer) ?? formula(ofAudience: place)
        }
        if experience.audiences.contains(where: { $0.kind == .unusable }) { formulas.append(.fails) }
        if formulas.isEmpty { return .holds }
        switch experience.audienceMatching {
        case .all: return places.contains { audienceQuestions[$0] != nil } ? .everyReduced(formulas) : .every(formulas)
        case .any: return .some(formulas)
        // The reference throws.
        case .missing: return pool.semantics == .javaScript ? .fails : .some(formulas)
        }
    }

    /// The condition that the visitor is in one of the attached segments.
    private func segment(of experience: ProjectConfig.Experience) -> Formula {
        let ids = experience.audiences.filter(segments.contains)
        if ids.isEmpty { return .holds }
        return .some(ids.map { .literal(.init(proposition: .customSegment($0), isWanted: true)) })
    }

    /// The experiences that audiences of `experience` ask about. Each question says whether a call for all experiences
    /// decides the other experience first.
    func questions(of experience: ProjectConfig.Experience) -> ExperienceQuestions {
        var questions = ExperienceQuestions()
        guard let own = experiencePlaces[experience.id.key] else { return questions }
        // An experience of another config may have other audiences.
        let isOwn = config.experiences[own].audiences == experience.audiences
        if isOwn, let known = memo.questions[own] { return known }
        for place in experience.audiences.flatMap({ audiences[$0] ?? [] }) {
            guard let question = audienceQuestions[place],
                let id = experienceIDs[question.experienceKey].map({ PropertyKey($0) }),
                let other = experiencePlaces[id]
            else { continue }
            questions.append(
                ExperienceQuestion(
                    id: id, key: question.experienceKey.text, keepsOut: question.keepsOut, isDecidedBefore: other < own)
            )
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
        guard let own = experiencePlaces[experience.id.key] else { return [] }
        var places: Set<Int> = [own]
        var pending = [experience]
        while places.count <= limit, let next = pending.popLast() {
            for question in questions(of: next) where question.isDecidedBefore || isFirstOfTwo {
                guard let place = experiencePlaces[question.id], places.insert(place).inserted else { continue }
                pending.append(config.experiences[place])
            }
        }
        return places.sorted().map { config.experiences[$0] }
    }

    /// The id of the experience that a question about `key` asks about; `nil` if no experience has the key.
    func experienceID(forKey key: String) -> PropertyKey? { experienceID(forKey: PropertyKey(key)) }

    private func experienceID(forKey key: PropertyKey) -> PropertyKey? {
        experienceIDs[key].map { PropertyKey($0) }
    }

    /// The experience that calls find by the key of `experience`, if that is another one, which comes first in the
    /// config; otherwise `nil`.
    func experienceFound(insteadOf experience: ProjectConfig.Experience) -> ProjectConfig.Experience? {
        guard let id = experienceID(forKey: experience.entityKey.lookUp), id != experience.id.key else { return nil }
        return self.experience(id: id)
    }

    /// The first experience with this id; `nil` if no experience has it.
    func experience(id: PropertyKey) -> ProjectConfig.Experience? {
        experiencePlaces[id].map { config.experiences[$0] }
    }

    /// The condition that the audience at `place` matches.
    func formula(ofAudience place: Int) -> Formula {
        if let known = memo.audiences[place] { return known }
        guard let question = audienceQuestions[place] else {
            return remember(config.audiences[place].rules, .visitor, place, \.audiences)
        }
        let formula = formula(of: question)
        memo.audiences[place] = formula
        return formula
    }

    /// The condition that a question about another experience gets the wanted answer.
    func formula(of question: BucketingQuestion) -> Formula {
        // No visitor is in an experience that does not exist.
        experienceIDs[question.experienceKey].map { id in
            .literal(.init(proposition: .storedDecision(id), isWanted: !question.keepsOut))
        } ?? Formula(question.keepsOut)
    }

    private func remember(
        _ rules: RuleTree?, _ scope: Formula.Scope, _ place: Int,
        _ path: ReferenceWritableKeyPath<Memo, [Int: Formula]>
    ) -> Formula {
        let formula = formula(of: rules, scope)
        memo[keyPath: path][place] = formula
        return formula
    }

    /// The condition that `rules` match; missing rules never match.
    func formula(of rules: RuleTree?, _ scope: Formula.Scope = .visitor) -> Formula {
        rules.map { pool.formula(of: RuleAdapter(semantics: pool.semantics).flatten($0), scope) } ?? .fails
    }

    /// The entry condition that no visitor meets, in a few words.
    func obstacle(to experience: ProjectConfig.Experience, _ search: VisitorSearch) -> String {
        if search.isImpossible([location(of: experience)]) {
            return experience.hasLocations ? "none of its locations can match" : "its site area cannot match"
        }
        if search.isImpossible([audience(of: experience)]) {
            if experience.audienceMatching == .missing, pool.semantics == .javaScript {
                return "settings.matching_options is missing, on which the reference throws"
            }
            return experience.audienceMatching == .all
                ? "its audiences cannot all match" : "none of its audiences can match"
        }
        return "its locations, audiences and segments exclude each other"
    }
}
