internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// A line of a log to decide again.
struct ReplayedLine {
    let logged: LoggedDecisions
    let engine: Engine
    let standIns: BucketedIDs
    let options: DecisionOptions
    let trustsLog: Bool

    /// The engine that decides lines.
    struct Engine: Sendable {
        let manager: ExperienceManager
        let readers: PropertyReaders
        private let withheld = BoundedCache<WithheldKey, WithheldValues>(limit: 32)

        private struct WithheldKey: Hashable {
            let names: [String]
            let hasLocation: Bool
        }

        init(_ project: Project, environment: String) {
            manager = ExperienceManager(project: project, environment: environment)
            readers = PropertyReaders(project)
        }

        /// The values that the withheld properties of `line` may have had.
        func withheldValues(of line: LoggedDecisions) -> WithheldValues {
            let key = WithheldKey(names: line.withheld, hasLocation: line.visitor.locationProperties != nil)
            return withheld.value(for: key) {
                WithheldValues(key.names, hasLocation: key.hasLocation, in: manager.project)
            }
        }
    }

    /// Additional requests for a line.
    struct Wishes {
        /// Experiences to decide although the line does not contain them.
        var extra: [PropertyKey] = []
        /// Whether to explain every step.
        var explains = false
    }

    /// - Parameter trustsLog: whether a logged answer counts as correct if the line withholds data that decides it, and
    ///   the answer is possible.
    init(_ logged: LoggedDecisions, _ engine: Engine, _ standIns: BucketedIDs, trustsLog: Bool = true) {
        self.logged = logged
        self.trustsLog = trustsLog
        self.engine = engine
        self.standIns = standIns
        var options = logged.call.options
        options.locationProperties = logged.visitor.locationProperties
        self.options = options
    }

    var manager: ExperienceManager { engine.manager }

    var influence: WithheldInfluence { WithheldInfluence(logged, engine.readers) }

    private var isByID: Bool { logged.call.question == .experienceID }

    private func person(_ id: String, _ state: VisitorState) -> Visitor {
        manager.visitor(id: id, attributes: logged.visitor.attributes, state: state)
    }

    func person() -> Visitor { person(logged.visitor.visitorID, logged.visitor.stored) }

    /// The same as ``decisions(_:)``, without any values for withheld properties.
    func decideOnce(_ wishes: Wishes) -> [ReplayedDecision] {
        if logged.call.asksForFeatures { return features(explains: wishes.explains) }
        let features = logged.features.isEmpty ? [] : features(explains: wishes.explains)
        if logged.buckets != nil { return decideByBuckets(wishes) + features }
        switch logged.call.question {
        case .allExperiences, .eachExperience: return decideAll(wishes) + features
        case .experiences, .experienceID, .feature, .features: return decideOneByOne(wishes) + features
        }
    }

    /// The decisions of the line, followed by additional experiences, which have no logged answer.
    private func members(with extra: [PropertyKey]) -> [(key: PropertyKey, logged: JSValue?)] {
        logged.decisions.map { ($0.key, $0.value) }
            + extra.filter { logged.decisions[$0] == nil }.map { ($0, nil) }
    }

    private func decideOneByOne(_ wishes: Wishes) -> [ReplayedDecision] {
        var person = person()
        var influence = influence
        return members(with: wishes.extra).map { name, logged in
            decide(name, logged, for: &person, &influence, explains: wishes.explains)
        }
    }

    private func decide(
        _ name: PropertyKey, _ logged: JSValue?, for person: inout Visitor, _ influence: inout WithheldInfluence,
        explains: Bool
    ) -> ReplayedDecision {
        let place = self.place(of: name)
        // Explained before deciding, because the decision changes the stored state and thereby the explanation.
        let explanation = explains ? explain(place, name, for: person) : nil
        let (id, before) = (person.id, person.state)
        let answer = manager.conclude(place, for: &person, options: options, identifiesByID: isByID)
        let decision = Decision(answer.value, in: manager.project)
        let withheld = influence.names(
            deciding: place, decision, logged: trustsLog ? logged : nil, for: id, storing: before)
        if !withheld.isEmpty, trustsLog, let logged, let place, options.isStorageEnabled, decision.logged != logged {
            // Later answers of the line depend on this one, so they are decided for a visitor who got it.
            let experience = manager.project.config.experiences[place]
            let name = logged.stringValue.map { PropertyKey($0) }
            var state = before
            if let id = experience.variations.first(where: { $0.answer == name })?.id {
                state.apply(.bucketing(experienceID: experience.id.key, variationID: id.value))
            }
            person = self.person(id, state)
        }
        return ReplayedDecision(
            subject: .experience(name.text), logged: logged, found: decision.logged, reason: decision.why,
            decision: decision, explanation: explanation, withheld: withheld, isCompared: logged != nil)
    }

    private func place(of name: PropertyKey) -> Int? {
        isByID ? manager.project.experience(id: name) : manager.project.experience(key: name)
    }

    private func explain(_ place: Int?, _ name: PropertyKey, for person: borrowing Visitor) -> Explanation {
        let key = place.map { manager.project.config.experiences[$0].entityKey.lookUp }
        return manager.explain((key ?? name).name, for: person, options: options)
    }

    /// Decides all experiences in one call.
    private func decideAll(_ wishes: Wishes) -> [ReplayedDecision] {
        let keys = manager.project.config.experiences.map(\.entityKey.lookUp)
        var person = person()
        var influence = influence
        var found: [PropertyKey: Decision] = [:]
        var explanations: [PropertyKey: Explanation] = [:]
        var withheld: [PropertyKey: [String]] = [:]
        if !logged.withheld.isEmpty {
            // Decided one by one, because a logged answer that is possible affects the later ones.
            for key in keys where withheld[key] == nil {
                let decision = decide(key, logged.decisions[key], for: &person, &influence, explains: wishes.explains)
                (found[key], explanations[key]) = (decision.decision, decision.explanation)
                withheld[key] = decision.withheld
                // The JavaScript SDK throws here, so it does not decide later experiences.
                if logged.call.question == .allExperiences, manager.project.options.semantics == .javaScript,
                    decision.decision?.reason?.isThrownByReference ?? false
                {
                    break
                }
            }
        } else if logged.call.question == .eachExperience {
            manager.concludeEach(for: &person, options: options) { place, conclusion in
                if found[keys[place]] == nil { found[keys[place]] = Decision(conclusion, in: manager.project) }
            }
        } else {
            let decisions = manager.selectVariations(for: &person, options: options).value
            found = Dictionary(firstOf: zip(keys, decisions))
        }
        if wishes.explains, logged.withheld.isEmpty {
            var copy = self.person()
            for key in keys where explanations[key] == nil {
                let place = manager.project.experience(key: key)
                explanations[key] = explain(place, key, for: copy)
                _ = manager.conclude(place, for: &copy, options: options)
            }
        }
        var known: Set<PropertyKey> = []
        let added = keys.filter {
            logged.decisions[$0] == nil && (found[$0]?.variation != nil || wishes.extra.contains($0))
                && known.insert($0).inserted
        }
        let unknown = wishes.extra.filter { found[$0] == nil && logged.decisions[$0] == nil }
        return (logged.decisions.map(\.key) + added + unknown).map { key in
            let decision = found[key] ?? Decision(reason: .unknownExperience)
            return ReplayedDecision(
                subject: .experience(key.name), logged: logged.decisions[key], found: decision.logged,
                reason: decision.why, decision: decision, explanation: explanations[key],
                withheld: withheld[key] ?? [])
        }
    }

    /// Decides each experience for a visitor with the line's bucket value.
    private func decideByBuckets(_ wishes: Wishes) -> [ReplayedDecision] {
        var (state, influence) = (logged.visitor.stored, influence)
        let project = manager.project
        let wanted = members(with: wishes.extra)
        var others: [PropertyKey] = []
        if logged.call.asksForAllExperiences {
            // The call would also have decided these if its config contained them, but their bucket values are unknown.
            let names = Set(wanted.map(\.key))
            others = project.config.experiences.map(\.entityKey.lookUp).filter { !names.contains($0) }
        }
        return inOrder(wanted + others.map { ($0, nil) }).compactMap { name, logged in
            var id = self.logged.visitor.visitorID
            if let index = place(of: name) {
                guard let value = self.logged.buckets?[name]?.numberValue.flatMap({ Int(exactly: $0) }),
                    let standIn = standIns.id(
                        with: value, in: project.config.experiences[index].id.text, project.options.bucketing)
                else {
                    influence.leaveOpen(index)
                    if logged == nil, !wishes.extra.contains(name) { return nil }
                    return ReplayedDecision(
                        subject: .experience(name.text), logged: logged, found: nil, reason: "",
                        isCompared: logged != nil)
                }
                id = standIn
            }
            var person = person(id, state)
            let decision = decide(name, logged, for: &person, &influence, explains: wishes.explains)
            state = person.state
            return decision
        }
    }

    /// Sorts decisions by the order of repetition: config order, if one call asked for all experiences.
    private func inOrder(
        _ members: [(key: PropertyKey, logged: JSValue?)]
    ) -> [(key: PropertyKey, logged: JSValue?)] {
        guard logged.call.asksForAllExperiences else { return members }
        let keys = manager.project.config.experiences.map(\.entityKey.lookUp)
        let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        return members.enumerated().sorted {
            (places[$0.element.key] ?? .max, $0.offset) < (places[$1.element.key] ?? .max, $1.offset)
        }.map(\.element)
    }
}

extension Decision {
    /// The source of the variation, or the reason for having no variation.
    fileprivate var why: String { variation?.source.rawValue ?? reason?.rawValue ?? "" }
}
