internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What experiences ask of new visitors, as formulas.
struct EntryFormulas {
    private let config: ProjectConfig
    private let pool: ConditionPool
    private let audiences: [EntityID: [Int]]
    private let locations: [EntityID: [Int]]
    private let segments: Set<EntityID>
    /// What audiences ask about experiences, by the audiences' places.
    private let audienceQuestions: [BucketingQuestion?]
    private let experienceIDs: [PropertyKey: String]
    private let experiencePlaces: [PropertyKey: Int]
    private let archive: EngineTrial
    private let earlier: Before?
    private let memo = Memo()

    /// How many literals a formula may have that stands for another experience. In place of a larger one stands whether
    /// the experience is entered, without what that asks.
    private static let mostLiterals = 2_000
    /// How many experiences that ask about one another are followed.
    private static let mostSteps = 64

    /// What a visitor must meet, as far as the limits let it be worked out.
    struct Estimate {
        var formula: Formula
        /// Whether no limit was reached. If one was, equal formulas of two configs may stand for different visitors.
        var isExact = true
        /// How many experiences ask about one another in it.
        var steps = 0
    }

    /// What is taken to be stored of the experiences that are asked about.
    enum StoredDecisions: Hashable {
        /// Nothing, as for a visitor at the first call for all experiences.
        case none
        /// Nothing, unless only visitors with a decision of a later experience are let in: those may come again.
        case whereNeeded
        /// Anything, as for a visitor who comes again, perhaps after other configs: each of them may be stored or not.
        case any
        /// What a first call for all experiences stored, with the config of before.
        case ofFirstCall
    }

    private struct Entry: Hashable {
        let place: Int
        let stored: StoredDecisions
    }

    /// A class, so that formulas can hold those of another config.
    private final class Before {
        let entrances: EntryFormulas
        init(_ entrances: EntryFormulas) { self.entrances = entrances }
    }

    /// What was worked out already. A class, because a question changes nothing that its caller sees.
    private final class Memo {
        var audiences: [Int: Formula] = [:]
        var locations: [Int: Formula] = [:]
        var entries: [Entry: Estimate] = [:]
        var questions: [Int: ExperienceQuestions] = [:]
    }

    /// - Parameters:
    ///   - project: the config.
    ///   - pool: what conditions are told apart by.
    ///   - before: the formulas of the config that decided visitors before; `nil` means this one.
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
        experienceIDs = Dictionary(
            config.experiences.map { ($0.entityKey.lookUp, $0.id.text) }, uniquingKeysWith: { first, _ in first })
        experiencePlaces = Dictionary(
            config.experiences.enumerated().map { ($1.id.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// That a visitor passes the gates of `experience`.
    ///
    /// - Parameter isBucketed: whether a decision for it is stored, with which permanent audiences are not asked any
    ///   more.
    func gates(of experience: ProjectConfig.Experience, isBucketed: Bool = false) -> Formula {
        location(of: experience) && audience(of: experience, isBucketed: isBucketed) && segment(of: experience)
    }

    /// That a new visitor gets a variation of `experience` in a call for all experiences: the gates, with what is asked
    /// about other experiences replaced by whether those are entered before, the environment and the bucket value.
    ///
    /// - Parameter stored: what is taken to be stored of the others.
    func entry(of experience: ProjectConfig.Experience, stored: StoredDecisions) -> Estimate {
        guard let place = experiencePlaces[experience.id.key] else { return Estimate(formula: .fails) }
        return entry(at: place, stored)
    }

    /// As ``entry(of:stored:)``, for a visitor of whatever bucket value: what lets the visitor through to the
    /// variations.
    ///
    /// - Parameter isBucketed: whether a decision for `experience` is stored.
    func passage(
        of experience: ProjectConfig.Experience, stored: StoredDecisions, isBucketed: Bool = false
    ) -> Estimate {
        estimate { answered in
            passage(of: experience, isBucketed: isBucketed) { answered(answer(to: $0, of: experience, stored)) }
        }
    }

    /// As ``passage(of:stored:isBucketed:)``, with what is asked about other experiences left open.
    func ownPassage(of experience: ProjectConfig.Experience) -> Formula {
        passage(of: experience, answering: formula(of:))
    }

    /// As ``passage(of:stored:isBucketed:)``, with what is asked about other experiences answered as it is asked for.
    func otherRules(of experience: ProjectConfig.Experience, isBucketed: Bool = false) -> Formula {
        passage(of: experience, isBucketed: isBucketed) { _ in .holds }
    }

    private func entry(at place: Int, _ stored: StoredDecisions) -> Estimate {
        let key = Entry(place: place, stored: stored)
        if let known = memo.entries[key] { return known }
        // Experiences ask only about those before them here. In their order none asks about an unknown one.
        for other in unknownPlaces(for: place, stored) {
            let experience = config.experiences[other]
            var found = passage(of: experience, stored: stored)
            found.formula = found.formula && room(of: experience)
            found.steps += 1
            // What is the same for all visitors depends on none of the others.
            if found.formula.known != nil { found = Estimate(formula: found.formula) }
            if found.steps > Self.mostSteps || found.formula.literalCount > Self.mostLiterals {
                found = Estimate(formula: storedDecision(experience.id.text), isExact: false)
            }
            memo.entries[Entry(place: other, stored: stored)] = found
        }
        return memo.entries[key] ?? Estimate(formula: .fails)
    }

    /// The places of experiences on which the one at `place` depends, and its own, without those that are known.
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

    /// The estimate of a formula that is made of the answers it passes on.
    private func estimate(_ formula: (_ answered: (Estimate) -> Formula) -> Formula) -> Estimate {
        var result = Estimate(formula: .fails)
        result.formula = formula { part in
            result.isExact = result.isExact && part.isExact
            result.steps = max(result.steps, part.steps)
            return part.formula
        }
        return result
    }

    /// As ``passage(of:stored:isBucketed:)``, with what is asked about other experiences answered by `others`, the
    /// formulas of another config, as `asking` would ask it there.
    func passage(
        of experience: ProjectConfig.Experience, asking others: EntryFormulas, of asking: ProjectConfig.Experience,
        stored: StoredDecisions, isBucketed: Bool = false
    ) -> Formula {
        passage(of: experience, isBucketed: isBucketed) { others.answer(to: $0, of: asking, stored).formula }
    }

    /// As ``gates(of:isBucketed:)`` of new visitors, with the experiences that are asked about looked up in the config
    /// of `others`.
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
                Formula.literal(.init(proposition: .environment(name), isWanted: true))
            } ?? .holds
        let audience = audience(of: experience, isBucketed: isBucketed, answering: answer)
        return environment && location(of: experience) && audience && segment(of: experience)
    }

    /// What audiences of `experience` ask about others, without what else they and the other gates ask; `nil` if one of
    /// several audiences is enough, and not all of them ask about others.
    func questionPart(
        of experience: ProjectConfig.Experience, stored: StoredDecisions, isBucketed: Bool = false
    ) -> Formula? {
        let places = Set(experience.audiences.flatMap { audiences[$0] ?? [] }).sorted().filter {
            !isBucketed || !config.audiences[$0].isPermanent
        }
        if places.isEmpty { return .holds }
        let questions = places.compactMap { audienceQuestions[$0] }
        let answers = questions.map { answer(to: $0, of: experience, stored).formula }
        if experience.audienceMatching == .all { return .every(answers) }
        return questions.count == places.count ? .some(answers) : nil
    }

    /// That a question which an audience of `experience` asks is answered as it wants.
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
        case .whereNeeded: if place > own, !question.keepsOut { isIn.formula = storedDecision(id) }
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

    /// That a decision is stored for the experience with the id.
    func storedDecision(_ id: String) -> Formula {
        .literal(.init(proposition: .storedDecision(id), isWanted: true))
    }

    /// That the visitor's bucket value gets a variation of `experience`.
    func room(of experience: ProjectConfig.Experience) -> Formula {
        bucket(of: experience, BucketRuns(experience, under: pool.semantics).taken)
    }

    /// That the visitor's bucket value is one of `values`.
    func bucket(of experience: ProjectConfig.Experience, _ values: BucketSet) -> Formula {
        if values.isEmpty { return .fails }
        if values == .all { return .holds }
        return .literal(.init(proposition: .bucket(experience.id.text, values), isWanted: true))
    }

    /// That the locations or the site area match.
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

    /// That as many of the audiences match as must.
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
        case .all: return .every(formulas)
        case .any: return .some(formulas)
        // The reference throws.
        case .missing: return pool.semantics == .javaScript ? .fails : .some(formulas)
        }
    }

    /// That the visitor is in some of the segments attached.
    private func segment(of experience: ProjectConfig.Experience) -> Formula {
        let ids = experience.audiences.filter(segments.contains)
        if ids.isEmpty { return .holds }
        return .some(ids.map { .literal(.init(proposition: .customSegment($0), isWanted: true)) })
    }

    /// The experiences that audiences of `experience` ask about, and whether a call for all experiences decides them
    /// before it.
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

    /// The experiences on which a call for all experiences lets the decision of `experience` depend, in their order:
    /// those that its audiences ask about, directly or through others, and itself.
    ///
    /// - Parameters:
    ///   - isFirstOfTwo: whether a second call follows, which knows the decisions of later experiences too.
    ///   - limit: how many are looked for; if there are more, some of them are missing.
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

    /// The id of the experience that a question about `key` asks about; `nil` if none has the key.
    func experienceID(forKey key: String) -> PropertyKey? { experienceIDs[PropertyKey(key)].map { PropertyKey($0) } }

    /// The experience with the id, if there is one; of several the first.
    func experience(id: PropertyKey) -> ProjectConfig.Experience? {
        experiencePlaces[id].map { config.experiences[$0] }
    }

    /// That the audience at `place` matches.
    func formula(ofAudience place: Int) -> Formula {
        if let known = memo.audiences[place] { return known }
        guard let question = audienceQuestions[place] else {
            return remember(config.audiences[place].rules, .visitor, place, \.audiences)
        }
        let formula = formula(of: question)
        memo.audiences[place] = formula
        return formula
    }

    /// That a question about another experience is answered as it asks.
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
        let formula =
            rules.map { pool.formula(of: RuleAdapter(semantics: pool.semantics).flatten($0), scope) } ?? .fails
        memo[keyPath: path][place] = formula
        return formula
    }

    /// Which gate no visitor passes, in a few words.
    func obstacle(to experience: ProjectConfig.Experience, _ search: VisitorSearch) -> String {
        if case .impossible = search.run([location(of: experience)]) {
            return experience.hasLocations ? "none of its locations can match" : "its site area cannot match"
        }
        if case .impossible = search.run([audience(of: experience)]) {
            if experience.audienceMatching == .missing, pool.semantics == .javaScript {
                return "settings.matching_options is missing, on which the reference throws"
            }
            return experience.audienceMatching == .all
                ? "its audiences cannot all match" : "none of its audiences can match"
        }
        return "its locations, audiences and segments exclude each other"
    }
}
