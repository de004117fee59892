internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The entry conditions of experiences for new visitors, as formulas.
struct EntryFormulas {
    private let config: ProjectConfig
    private let pool: ConditionPool
    /// The experiences of the config, and their questions about each other.
    let graph: ExperienceGraph
    private let locations: [EntityID: [Int]]
    private let segments: Set<EntityID>
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
        graph = ExperienceGraph(config)
        locations = Dictionary(grouping: config.locations.indices, by: { config.locations[$0].id })
        segments = Set(config.segments.map(\.id))
    }

    /// The formulas of the same config with other experiences in place of its own, such as the same ones in another
    /// order.
    init(_ other: EntryFormulas, replacingExperiencesBy experiences: [ProjectConfig.Experience]) {
        (config, pool, archive, earlier) = (other.config, other.pool, other.archive, other.earlier)
        (locations, segments) = (other.locations, other.segments)
        graph = ExperienceGraph(other.graph, replacingExperiencesBy: experiences)
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
        guard let place = graph.place(of: experience.id.key) else { return Estimate(formula: .fails) }
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

    /// The same as ``passage(of:stored:isBucketed:)``, if every question about another experience gets the wanted
    /// answer.
    func otherRules(of experience: ProjectConfig.Experience, isBucketed: Bool = false) -> Formula {
        let place = isBucketed ? nil : graph.place(of: experience.id.key)
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
            let experience = graph.experiences[other]
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
            for question in graph.questions(of: graph.experiences[next]) where question.isDecidedBefore {
                guard let other = graph.place(of: question.id),
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

    /// The same as ``passage(of:stored:isBucketed:)``, with the questions about other experiences answered by `others`,
    /// the formulas of another config, as they are for its experience `asking`.
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

    /// The same as ``gates(of:isBucketed:)``, if every question about another experience gets the wanted answer.
    func otherGates(of experience: ProjectConfig.Experience, isBucketed: Bool = false) -> Formula {
        location(of: experience) && audience(of: experience, isBucketed: isBucketed, answering: { _ in .holds })
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
        let places = graph.audiencePlaces(of: experience, isBucketed: isBucketed)
        if places.isEmpty { return .holds }
        let questions = places.compactMap(graph.question(ofAudience:))
        if questions.isEmpty { return .holds }
        let answers = questions.map { answer(to: $0, of: experience, stored).formula }
        if experience.audienceMatching == .all { return .everyReduced(answers) }
        return questions.count == places.count ? .some(answers) : nil
    }

    /// The condition that a question of `experience` gets the wanted answer.
    private func answer(
        to question: BucketingQuestion, of experience: ProjectConfig.Experience, _ stored: StoredDecisions
    ) -> Estimate {
        let own = graph.place(of: experience.id.key) ?? 0
        guard let id = graph.id(forKey: question.experienceKey), let place = graph.place(of: id.key) else {
            return Estimate(formula: Formula(question.keepsOut))
        }
        var isIn = place < own ? entry(at: place, stored) : Estimate(formula: .fails)
        switch stored {
        case .none: break
        case .whereNeeded where place > own:
            if !question.keepsOut {
                isIn.formula = storedDecision(id.text)
            } else if entry(at: place, .none).formula.known == true {
                isIn.formula = .some(Set(neededDecisions(for: experience)).sorted().map { storedDecision($0) })
            }
        case .whereNeeded: break
        case .any: isIn.formula = isIn.formula || storedDecision(id.text)
        case .ofFirstCall:
            let before = earlier?.entrances ?? self
            if let place = before.graph.place(of: id.key) {
                isIn = estimate { answered in answered(before.entry(at: place, .none)) || answered(isIn) }
            }
        }
        if question.keepsOut { isIn.formula = isIn.formula.negated }
        return isIn
    }

    /// The ids of the later experiences that visitors must be in to enter `experience`, or an experience that it
    /// depends on.
    private func neededDecisions(for experience: ProjectConfig.Experience) -> [String] {
        graph.decided(for: experience, isFirstOfTwo: true, limit: Self.mostSteps).flatMap { other in
            graph.questions(of: other).filter { $0.letsIn && !$0.isDecidedBefore }.map(\.id.text)
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
        let places = graph.audiencePlaces(of: experience, isBucketed: isBucketed)
        var formulas = places.map { place in
            graph.question(ofAudience: place).map(answer) ?? formula(ofAudience: place)
        }
        if experience.audiences.contains(where: { $0.kind == .unusable }) { formulas.append(.fails) }
        if formulas.isEmpty { return .holds }
        switch experience.audienceMatching {
        case .all:
            let asks = places.contains { graph.question(ofAudience: $0) != nil }
            return asks ? .everyReduced(formulas) : .every(formulas)
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

    /// The condition that the audience at `place` matches.
    func formula(ofAudience place: Int) -> Formula {
        if let known = memo.audiences[place] { return known }
        guard let question = graph.question(ofAudience: place) else {
            return remember(config.audiences[place].rules, .visitor, place, \.audiences)
        }
        let formula = formula(of: question)
        memo.audiences[place] = formula
        return formula
    }

    /// The condition that a question about another experience gets the wanted answer.
    func formula(of question: BucketingQuestion) -> Formula {
        // No visitor is in an experience that does not exist.
        graph.id(forKey: question.experienceKey).map { id in
            .literal(.init(proposition: .storedDecision(id.text), isWanted: !question.keepsOut))
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
                return "settings.matching_options is missing, without which the JavaScript SDK throws"
            }
            return experience.audienceMatching == .all
                ? "its audiences cannot all match" : "none of its audiences can match"
        }
        return "its locations, audiences and segments exclude each other"
    }
}
