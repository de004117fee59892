internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// A line of a log that is decided again.
struct ReplayedLine {
    private typealias Difference = DecisionReplay.Difference

    private let logged: LoggedDecisions
    private let manager: ExperienceManager
    private let standIns: BucketedIDs
    private let options: DecisionOptions

    init(_ logged: LoggedDecisions, _ manager: ExperienceManager, _ standIns: BucketedIDs) {
        self.logged = logged
        self.manager = manager
        self.standIns = standIns
        var options = logged.call.options
        options.locationProperties = logged.visitor.locationProperties
        self.options = options
    }

    private func person(_ id: String, _ state: VisitorState) -> Visitor {
        manager.visitor(id: id, attributes: logged.visitor.attributes, state: state)
    }

    func outcome() -> DecisionReplay.Outcome {
        var outcome = DecisionReplay.Outcome()
        if logged.call.asksForFeatures {
            if logged.hasNoVisitorID { return undecidable(logged.features) }
        } else if logged.buckets != nil {
            return decideByBuckets()
        }
        var person = person(logged.visitor.visitorID, logged.visitor.stored)
        switch logged.call.question {
        case .experiences, .experienceID:
            for member in logged.decisions {
                let decision = decide(member.key, for: &person)
                compare(.experience(member.key.text), member.value, decision.logged, decision.why, &outcome)
            }
        case .allExperiences:
            let decisions = manager.selectVariations(for: &person, options: options).value
            let found = decisions.logged(in: manager.project.config)
            let keys = manager.project.config.experiences.map(\.entityKey.lookUp)
            let reasons = Dictionary(zip(keys, decisions.map(\.why))) { first, _ in first }
            compare(logged.decisions, found, &outcome) { (.experience($0.name), reasons[$0] ?? "unknownExperience") }
        case .eachExperience:
            var found: [PropertyKey: Decision] = [:]
            let keys = manager.project.config.experiences.map(\.entityKey.lookUp)
            manager.concludeEach(for: &person, options: options) { place, conclusion in
                if found[keys[place]] == nil { found[keys[place]] = Decision(conclusion, in: manager.project) }
            }
            var answers = JSObject()
            for key in keys { answers[key] = found[key]?.logged }
            compare(logged.decisions, answers, &outcome) {
                (.experience($0.name), found[$0]?.why ?? "unknownExperience")
            }
        case .feature(let key, let experienceKeys):
            let found = FeatureManager(experiences: manager).feature(
                key, for: &person, options: options, experienceKeys: experienceKeys, castsTypes: logged.call.castsTypes
            ).value
            compare(logged.features, found.logged, &outcome) { (.feature($0.name), found.why($0)) }
        case .features:
            let found = FeatureManager(experiences: manager).features(
                for: &person, options: options, castsTypes: logged.call.castsTypes
            ).value
            compare(logged.features, found.logged, &outcome) { (.feature($0.name), found.why($0)) }
        }
        return outcome
    }

    private func undecidable(_ answers: JSObject) -> DecisionReplay.Outcome {
        var outcome = DecisionReplay.Outcome()
        outcome.undecidableCount = answers.count
        return outcome
    }

    private func decide(_ name: PropertyKey, for person: inout Visitor) -> Decision {
        let project = manager.project
        let byID = logged.call.question == .experienceID
        let experience = byID ? project.experience(id: name) : project.experience(key: name)
        let answer = manager.conclude(experience, for: &person, options: options, identifiesByID: byID)
        return Decision(answer.value, in: project)
    }

    /// Decides each experience for a visitor who has the bucket value that the line has.
    private func decideByBuckets() -> DecisionReplay.Outcome {
        var outcome = DecisionReplay.Outcome()
        var state = logged.visitor.stored
        let project = manager.project
        let byID = logged.call.question == .experienceID
        for member in decisionsInOrder {
            let name = member.key
            var id = logged.visitor.visitorID
            if let index = byID ? project.experience(id: name) : project.experience(key: name) {
                guard let value = logged.buckets?[member.key]?.numberValue.flatMap({ Int(exactly: $0) }),
                    let standIn = standIns.id(
                        with: value, in: project.config.experiences[index].id.text, project.options.bucketing)
                else {
                    outcome.undecidableCount += 1
                    continue
                }
                id = standIn
            }
            var person = person(id, state)
            let decision = decide(name, for: &person)
            state = person.state
            compare(.experience(name.text), member.value, decision.logged, decision.why, &outcome)
        }
        return outcome
    }

    /// The decisions of the line in the order in which they are made again: that of the config, if one call asked for
    /// all.
    private var decisionsInOrder: [JSObject.Member] {
        let members = Array(logged.decisions)
        guard logged.call.asksForAllExperiences else { return members }
        let keys = manager.project.config.experiences.map(\.entityKey.lookUp)
        let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        return members.enumerated().sorted {
            (places[$0.element.key] ?? .max, $0.offset) < (places[$1.element.key] ?? .max, $1.offset)
        }.map(\.element)
    }

    /// Compares all answers; one that only one side has is `null` on the other.
    private func compare(
        _ before: JSObject, _ now: JSObject, _ outcome: inout DecisionReplay.Outcome,
        describing describe: (PropertyKey) -> (DecisionReplay.Subject, String)
    ) {
        let added = now.members.filter { before[$0.key] == nil && !$0.value.isNull }.map(\.key)
        for key in before.members.map(\.key) + added {
            let (subject, reason) = describe(key)
            compare(subject, before[key] ?? .null, now[key] ?? .null, reason, &outcome)
        }
    }

    private func compare(
        _ subject: DecisionReplay.Subject, _ before: JSValue, _ now: JSValue, _ reason: String,
        _ outcome: inout DecisionReplay.Outcome
    ) {
        outcome.decisionCount += 1
        if case .experience(let name) = subject { outcome.experienceCounts[name, default: 0] += 1 }
        // As the line has it: a number may be written otherwise than the config writes it.
        guard before != now, ECMAScript.jsonText(keepingNumbersOf: now) != ECMAScript.jsonText(keepingNumbersOf: before)
        else { return }
        outcome.differences.append(
            Difference(
                visitorID: logged.visitor.visitorID, subject: subject, logged: before, found: now, reason: reason,
                withheld: logged.withheld))
    }
}

extension Decision {
    /// Where the variation came from, or why there is no variation.
    fileprivate var why: String { variation?.source.rawValue ?? reason?.rawValue ?? "" }
}

extension FeatureDecision {
    /// Why a feature is as it is.
    fileprivate func why(_ key: PropertyKey) -> String {
        if let reason { return reason.rawValue }
        let feature = features.first { ($0.key ?? $0.id).map { PropertyKey($0) } == key }
        return feature?.disabledReason?.rawValue ?? (feature == nil ? "undeclared" : "given")
    }
}
