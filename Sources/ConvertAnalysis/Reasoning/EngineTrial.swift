internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Creates visitors from search results, and tries them on the decision engine.
struct EngineTrial {
    /// The maximum number of ids to hash when looking for one whose bucket value gets a variation. The chance of
    /// missing a single one of 10,000 bucket values is below 1 in 10^40.
    private static let mostIDs = 1_000_000
    /// The maximum number of visitors to decide in all experiences when looking for a wanted one.
    private static let mostTries = 50

    /// The environment for visitors whose environment does not matter.
    static let usualEnvironment = ProjectConfig.defaultEnvironment

    private let manager: ExperienceManager
    private let budget: AnalysisBudget?

    /// - Parameters:
    ///   - project: the project that decides.
    ///   - environment: the environment to decide in.
    ///   - budget: the budget that pays for looking for bucket values. A hash costs as much as a transition.
    init(_ project: Project, environment: String?, budget: AnalysisBudget? = nil) {
        manager = ExperienceManager(project: project, environment: environment ?? Self.usualEnvironment)
        self.budget = budget
    }

    /// A visitor of `model` who gets a variation of `experience`; `nil` if no id was found or the engine gives no
    /// variation.
    func visitor(entering experience: ProjectConfig.Experience, as model: VisitorSearch.Model) -> PopulationVisitor? {
        guard let id = bucketedID(in: experience) else { return nil }
        var person = visitor(of: model)
        person.visitorID = id
        return reason(for: person, in: experience) == nil ? person : nil
    }

    /// A visitor of `model` who meets the entry conditions of `experience`, with a bucket value of no arm; `nil` if the
    /// trial finds no such visitor.
    func visitor(missing experience: ProjectConfig.Experience, as model: VisitorSearch.Model) -> PopulationVisitor? {
        guard let id = bucketedID(in: experience, isGivenVariation: false) else { return nil }
        var person = visitor(of: model)
        person.visitorID = id
        return reason(for: person, in: experience).map(\.isBehindTheGates) == true ? person : nil
    }

    /// A visitor of `model` for whom `isWanted` holds, which receives the decisions of a call for all experiences by
    /// the experiences' ids.
    ///
    /// - Parameter work: the number of decisions that may still be made.
    func visitor(
        as model: VisitorSearch.Model, work: inout Int, _ isWanted: ([PropertyKey: Decision]) -> Bool
    ) -> PopulationVisitor? {
        let count = manager.project.config.experiences.count
        return visitor(as: model) { person in
            guard work >= count else { return false }
            work -= count
            return isWanted(decisions(for: person))
        }
    }

    /// A visitor of `model` for whom `isWanted` holds.
    func visitor(
        as model: VisitorSearch.Model, where isWanted: (PopulationVisitor) -> Bool
    ) -> PopulationVisitor? {
        var person = visitor(of: model)
        for id in visitorIDs(for: model).prefix(Self.mostTries) {
            person.visitorID = id
            if isWanted(person) { return person }
        }
        return nil
    }

    /// The decisions of a call for all experiences, by the experiences' ids.
    func decisions(for person: PopulationVisitor) -> [PropertyKey: Decision] {
        var visitor = manager.visitor(person)
        let decisions = manager.selectVariations(for: &visitor, options: person.options()).value
        let ids = manager.project.config.experiences.map(\.id.key)
        return Dictionary(firstOf: zip(ids, decisions))
    }

    /// Decides `experiences`, each with the decisions before it. Returns the last decision, and the stored state at the
    /// end.
    func decide(
        _ experiences: [ProjectConfig.Experience], for person: PopulationVisitor
    ) -> (last: Decision?, state: VisitorState) {
        var visitor = manager.visitor(person)
        let options = person.options()
        var decision: Decision?
        for experience in experiences {
            decision = manager.selectVariation(id: experience.id.text, for: &visitor, options: options).value
        }
        return (decision, visitor.state)
    }

    /// Ids of visitors with the bucket values that `model` requires.
    private func visitorIDs(for model: VisitorSearch.Model) -> some Sequence<String> {
        let bucketing = BucketingManager(options: manager.project.options.bucketing)
        let wanted = model.buckets.sorted { $0.key < $1.key }.map { id, values in
            (hash: bucketing.hash(experienceID: id), values: values)
        }
        return (1...Self.mostIDs).lazy.prefix { _ in
            budget?.spend(wanted.count)
            return !(budget?.isExhausted ?? false)
        }.map { "visitor-\($0)" }.filter { id in
            wanted.allSatisfy { $0.values.contains(bucketing.bucketValue(visitorID: id, continuing: $0.hash)) }
        }
    }

    /// The id of a visitor with a bucket value that gets a variation of `experience` or, if `isGivenVariation` is
    /// `false`, no variation; `nil` if no id was found.
    private func bucketedID(in experience: ProjectConfig.Experience, isGivenVariation: Bool = true) -> String? {
        let bucketing = BucketingManager(options: manager.project.options.bucketing)
        let hash = bucketing.hash(experienceID: experience.id.text)
        let runs = BucketRuns(experience, under: manager.project.options.semantics)
        guard runs.runs.contains(where: { ($0.variation != nil) == isGivenVariation }) else { return nil }
        return (1...Self.mostIDs).lazy.map { "visitor-\($0)" }.first { id in
            runs.giveVariation(for: bucketing.bucketValue(visitorID: id, continuing: hash)) == isGivenVariation
        }
    }

    /// A visitor of `model` who keeps a variation of `experience`, whose id `stored` is stored.
    func visitor(keeping stored: String, of experience: ProjectConfig.Experience, as model: VisitorSearch.Model)
        -> PopulationVisitor?
    {
        var model = model
        model.storedDecisions[experience.id.text] = true
        let person = visitor(of: model, storing: stored, for: experience)
        return decision(for: person, in: experience).variation?.source == .stored ? person : nil
    }

    /// A visitor of `model` who meets the entry conditions of `experience`, and gets a variation if any variation takes
    /// visitors.
    func visitor(passingInto experience: ProjectConfig.Experience, as model: VisitorSearch.Model) -> PopulationVisitor?
    {
        if !BucketRuns(experience, under: manager.project.options.semantics).isEmpty {
            return visitor(entering: experience, as: model)
        }
        let person = visitor(of: model)
        return reason(for: person, in: experience)?.isBehindTheGates == true ? person : nil
    }

    /// A visitor of `model` with the variation id `stored` as the stored decision for `experience`.
    func visitor(
        of model: VisitorSearch.Model, storing stored: String, for experience: ProjectConfig.Experience
    ) -> PopulationVisitor {
        var person = visitor(of: model)
        person.stored.apply(.bucketing(experienceID: experience.id.key, variationID: .string(stored)))
        return person
    }

    /// A visitor of `model`.
    func visitor(of model: VisitorSearch.Model) -> PopulationVisitor {
        let config = manager.project.config
        var record = JSObject()
        var bucketing = JSObject()
        for (id, isStored) in model.storedDecisions.sorted(by: { $0.key < $1.key }) where isStored {
            let target = config.experiences.first { $0.id.text == id }
            bucketing[id] = .string(target?.variations.first?.id?.text ?? "1")
        }
        if !bucketing.isEmpty { record["bucketing"] = .object(bucketing) }
        let segments = model.customSegments.filter(\.value).keys.sorted { $0.text < $1.text }.map(\.value)
        if !segments.isEmpty { record["segments"] = ["customSegments": .array(segments)] }
        return PopulationVisitor(
            visitorID: "visitor-1", attributes: model.attributes, locationProperties: model.locationProperties,
            stored: VisitorState(record: record))
    }

    /// Whether no visitor enters `experience` because the engine counts it as archived.
    func isArchived(_ experience: ProjectConfig.Experience) -> Bool {
        reason(for: PopulationVisitor(visitorID: "visitor-1"), in: experience) == .archived
    }

    /// The reason why a visitor gets no variation of `experience`; `nil` if the visitor gets one.
    func reason(for person: PopulationVisitor, in experience: ProjectConfig.Experience) -> Decision.Reason? {
        decision(for: person, in: experience).reason
    }

    /// The decision for a visitor in `experience`.
    func decision(for person: PopulationVisitor, in experience: ProjectConfig.Experience) -> Decision {
        var visitor = manager.visitor(person)
        return manager.selectVariation(id: experience.id.text, for: &visitor, options: person.options()).value
    }
}

extension Decision.Reason {
    /// Whether a visitor without a variation for this reason met all entry conditions.
    var isBehindTheGates: Bool { self == .notBucketed || self == .variationNotFound }
}
