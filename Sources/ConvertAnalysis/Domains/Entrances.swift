internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What experiences ask of new visitors, as formulas.
struct Entrances {
    private let config: ProjectConfig
    private let pool: ConditionPool
    private let audiences: [EntityID: [Int]]
    private let locations: [EntityID: [Int]]
    private let segments: Set<EntityID>
    private let experienceIDs: [PropertyKey: String]
    private let experiencePlaces: [PropertyKey: Int]
    private let memo = Memo()

    /// What was worked out already. A class, because a question changes nothing that its caller sees.
    private final class Memo {
        var audiences: [Int: Formula] = [:]
        var locations: [Int: Formula] = [:]
    }

    init(_ config: ProjectConfig, pool: ConditionPool) {
        self.config = config
        self.pool = pool
        func places(_ ids: [EntityID]) -> [EntityID: [Int]] {
            Dictionary(grouping: ids.indices, by: { ids[$0] })
        }
        audiences = places(config.audiences.map(\.id))
        locations = places(config.locations.map(\.id))
        segments = Set(config.segments.map(\.id))
        experienceIDs = Dictionary(
            config.experiences.map { ($0.entityKey.lookUp, $0.id.text) }, uniquingKeysWith: { first, _ in first })
        experiencePlaces = Dictionary(
            config.experiences.enumerated().map { ($1.id.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// That a visitor passes the gates of `experience`.
    ///
    /// - Parameter isBucketed: whether a decision for it is stored, with which permanent audiences are not asked any more.
    func formula(of experience: Experience, isBucketed: Bool = false) -> Formula {
        location(of: experience) && audience(of: experience, isBucketed: isBucketed) && segment(of: experience)
    }

    /// That the locations or the site area match.
    func location(of experience: Experience) -> Formula {
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
    func audience(of experience: Experience, isBucketed: Bool = false) -> Formula {
        var places: Set<Int> = []
        for id in experience.audiences { places.formUnion(audiences[id] ?? []) }
        if isBucketed { places = places.filter { !config.audiences[$0].isPermanent } }
        var formulas = places.sorted().map(formula(ofAudience:))
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
    private func segment(of experience: Experience) -> Formula {
        let ids = experience.audiences.filter(segments.contains)
        if ids.isEmpty { return .holds }
        return .some(ids.map { .literal(.init(proposition: .customSegment($0), isWanted: true)) })
    }

    /// The experiences that audiences of `experience` ask about, and whether a call for all experiences decides them before it.
    func questions(of experience: Experience) -> [(id: PropertyKey, key: String, isDecidedBefore: Bool)] {
        var questions: [(id: PropertyKey, key: String, isDecidedBefore: Bool)] = []
        for place in experience.audiences.flatMap({ audiences[$0] ?? [] }) {
            guard let key = config.audiences[place].rules?.bucketingQuestion?.experienceKey,
                let id = experienceIDs[key].map({ PropertyKey($0) }),
                let other = experiencePlaces[id], let own = experiencePlaces[experience.id.key],
                !questions.contains(where: { $0.id == id })
            else { continue }
            questions.append((id, key.text, other < own))
        }
        return questions
    }

    /// That the audience at `place` matches.
    func formula(ofAudience place: Int) -> Formula {
        if let known = memo.audiences[place] { return known }
        guard let rules = config.audiences[place].rules, let question = rules.bucketingQuestion else {
            return remember(config.audiences[place].rules, .visitor, place, \.audiences)
        }
        let formula = formula(of: question)
        memo.audiences[place] = formula
        return formula
    }

    /// That a question about another experience is answered as it asks.
    func formula(of question: BucketingQuestion) -> Formula {
        // An experience that is not there is one that nobody is in.
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

    /// Which gate nobody passes, in a few words.
    func obstacle(to experience: Experience, _ search: VisitorSearch) -> String {
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
        return "what it asks of a visitor excludes each other"
    }
}
