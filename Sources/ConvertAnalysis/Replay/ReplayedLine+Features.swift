internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

extension ReplayedLine {
    /// The contribution of one experience to the visitor's features, for a line that withholds data.
    private struct Carrier {
        /// The features that the visitor's variation carries.
        let given: JSObject
        /// The features that the visitor gets if the withheld data lets the visitor in; `nil` if it does not affect the
        /// experience.
        let behindTheGates: JSObject?
        /// The names of withheld data that may have decided the experience.
        let names: [String]
    }

    /// The features that the call asked for. For a call for experiences, the result of a call for all features.
    func features(explains: Bool) -> [ReplayedDecision] {
        if logged.hasNoVisitorID {
            return logged.features.map { member in
                ReplayedDecision(
                    subject: .feature(member.key.name), logged: member.value, found: nil, reason: "")
            }
        }
        let features = FeatureManager(experiences: manager)
        var person = person()
        let answer: FeatureDecision
        if case .feature(let key, let experienceKeys) = logged.call.question {
            answer =
                features.feature(
                    key, for: &person, options: options, experienceKeys: experienceKeys,
                    castsTypes: logged.call.castsTypes
                ).value
        } else {
            answer = features.features(for: &person, options: options, castsTypes: logged.call.castsTypes).value
        }
        let found = answer.logged
        let added = found.members.filter { logged.features[$0.key] == nil && !$0.value.isNull }.map(\.key)
        let carriers = logged.withheld.isEmpty ? [] : carriers(of: logged.call.question, by: features)
        return (logged.features.map(\.key) + added).map { key in
            let explanation = explains ? features.explain(key.name, for: self.person(), options: options) : nil
            return ReplayedDecision(
                subject: .feature(key.name), logged: logged.features[key], found: found[key] ?? .null,
                reason: answer.why(key), featureExplanation: explanation,
                withheld: withheldNames(deciding: key, among: carriers))
        }
    }

    /// The contributions of the experiences that `question` decides, in order.
    private func carriers(of question: LoggedCall.Question, by features: FeatureManager) -> [Carrier] {
        let (project, options) = (manager.project, features.passedOn(options))
        var places = project.config.experiences.indices.filter {
            project.experience(key: project.config.experiences[$0].entityKey.lookUp) == $0
        }
        if case .feature(let key, let experienceKeys) = question {
            let keys = Set(experienceKeys.map { PropertyKey($0) })
            if !keys.isEmpty { places.removeAll { !keys.contains(project.config.experiences[$0].entityKey.lookUp) } }
            if project.options.semantics != .javaScript {
                let carriers = engine.readers.carriers(of: PropertyKey(key))
                places.removeAll { !carriers.contains($0) }
            }
        }
        var person = person()
        var influence = influence
        let id = person.id
        func carried(_ variation: Int?, _ place: Int) -> JSObject {
            variation.map {
                features.features(carriedBy: $0, of: place, castsTypes: logged.call.castsTypes).logged
            } ?? JSObject()
        }
        return places.map { place in
            let before = person.state
            let conclusion = manager.conclude(place, for: &person, options: options).value
            let names = influence.names(
                deciding: place, Decision(conclusion, in: project), logged: nil, for: id, storing: before)
            return Carrier(
                given: carried(conclusion.selection?.variation, place),
                behindTheGates: names.isEmpty
                    ? nil : carried(influence.variationBehindTheGates(ofPlace: place, for: id), place),
                names: names)
        }
    }

    /// The names of withheld data that may have decided the feature with this key; empty if no value of the data leads
    /// to the logged answer.
    private func withheldNames(deciding key: PropertyKey, among carriers: [Carrier]) -> [String] {
        func entries(_ value: JSValue?) -> [String] {
            (value?.arrayValue ?? []).map { ECMAScript.jsonText(keepingNumbersOf: $0) }
        }
        let wanted = entries(logged.features[key])
        // The numbers of the line's entries that the experiences so far may explain.
        var counts: Set<Int> = [0]
        var names: [String] = []
        for carrier in carriers {
            var choices = [entries(carrier.given[key])]
            if let others = carrier.behindTheGates {
                choices = [[], entries(others[key])]
                if choices[1] != [] { names += carrier.names.filter { !names.contains($0) } }
            }
            counts = Set(
                choices.flatMap { choice in
                    counts.filter { wanted.dropFirst($0).starts(with: choice) }.map { $0 + choice.count }
                })
        }
        return !trustsLog || counts.contains(wanted.count) ? names : []
    }
}

extension FeatureDecision {
    /// The reason for a feature's value.
    fileprivate func why(_ key: PropertyKey) -> String {
        if let reason { return reason.rawValue }
        let feature = features.first { ($0.key ?? $0.id).map { PropertyKey($0) } == key }
        return feature?.disabledReason?.rawValue ?? (feature == nil ? "undeclared" : "given")
    }
}
