internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds visitors that read other variables of a feature because the experiences that carry it change places.
struct CarrierOrder: EntranceComparing {
    let entrances: EntranceComparison

    /// The maximum number of experiences to compare for one feature.
    private static let mostCarriers = 50
    private static let mostPairs = 50

    /// The places of two experiences: some visitors read the first one before and the second one now.
    private struct Pair {
        let first: (old: Int, new: Int)
        let second: (old: Int, new: Int)
    }

    /// The effect of the new order `after` of the experiences `before`, and the keys of the experiences whose visitors
    /// read other variables; `nil` if the order has no effect.
    func change(
        from before: [FeatureCarrier], to after: [FeatureCarrier], of feature: (old: PropertyKey, new: PropertyKey)
    ) -> (order: ConfigDifference.Feature.Order, experiences: Set<PropertyKey>)? {
        let places = Dictionary(firstOf: after.enumerated().map { ($1.key, $0) })
        let kept = before.enumerated().compactMap { place, carrier in
            places[carrier.key].map { (old: place, new: $0) }
        }
        if zip(kept, kept.dropFirst()).allSatisfy({ $0.new <= $1.new }) { return nil }
        var pairs: [Pair] = []
        for (place, first) in kept.enumerated() where pairs.count <= Self.mostPairs {
            for second in kept[(place + 1)...] where second.new < first.new {
                let values = Set(after[second.new].variables.values).union(after[first.new].variables.values)
                if values.count > 1 { pairs.append(Pair(first: first, second: second)) }
            }
        }
        if pairs.isEmpty { return nil }
        let keys = Set(pairs.map { after[$0.second.new].experience.key ?? "" }).sorted()
        func result(
            _ moved: Double? = nil, _ visitor: PopulationVisitor? = nil, _ environment: String? = nil
        ) -> (order: ConfigDifference.Feature.Order, experiences: Set<PropertyKey>) {
            let order = ConfigDifference.Feature.Order(
                experiences: keys, moved: moved, visitor: visitor, environment: environment)
            // A visitor with both experiences had the variables of the first, and has those of the second.
            let affected = pairs.filter { pair in
                pairs.count > Self.mostPairs
                    || !search.isImpossible([self.formula(pair, before, after, isAnyStored: true)])
            }
            return (order, Set(affected.flatMap { [before[$0.first.old].key, before[$0.second.old].key] }))
        }
        // If there are too many or they are too large, the search cannot exclude that a visitor reads other variables.
        if pairs.count > Self.mostPairs || max(before.count, after.count) > Self.mostCarriers { return result() }
        let areExact = [(old, before), (new, after)].allSatisfy { side, carriers in
            carriers.allSatisfy { side.entrances.passage(of: $0.experience, stored: .any).isExact }
        }
        if !areExact { return result() }
        let names = Set((before + after).compactMap { $0.experience.environmentName.map { PropertyKey($0) } })
        let named = names.count == 1 ? names.first?.text : nil
        for isAnyStored in [false, true] {
            let formula = Formula.some(pairs.map { self.formula($0, before, after, isAnyStored: isAnyStored) })
            var moved: Double?
            if !isAnyStored {
                let shares = AdmissionShares(from: .fails, to: formula, environment: named, budget)
                if let shares, shares.after == 0 { continue }
                moved = shares?.after
            }
            switch search.run([formula]) {
            case .impossible: continue
            case .undecided: return result(moved)
            case .found(let model):
                let environment = model.environment ?? named
                let visitor = visitor(as: model, in: environment, before, of: feature)
                return result(moved, visitor, visitor == nil ? nil : environment)
            }
        }
        return nil
    }

    /// The condition for visitors who read the variables of the pair's first experience before, and different ones of
    /// the second now.
    private func formula(
        _ pair: Pair, _ before: [FeatureCarrier], _ after: [FeatureCarrier], isAnyStored: Bool
    ) -> Formula {
        let (was, now) = (before[pair.first.old], after[pair.second.new])
        // Each visitor has both experiences, and reads only one of them.
        let (other, rest) = (before[pair.second.old], after[pair.first.new])
        let values = Set(now.variables.values)
        let reads = values.map { value in
            given(now, new, isAnyStored) { $0 == value } && given(rest, new, isAnyStored) { $0 != value }
        }
        let earlier =
            before.prefix(pair.first.old).map { given($0, old, isAnyStored).negated }
            + after.prefix(pair.second.new).map { given($0, new, isAnyStored).negated }
        return .every(
            [given(was, old, isAnyStored), given(other, old, isAnyStored), .some(reads)]
                + (isAnyStored ? [] : earlier))
    }

    /// The condition for visitors who get a variation that carries the feature with these variables.
    ///
    /// - Parameter isAnyStored: whether any experience may have a stored decision.
    private func given(
        _ carrier: FeatureCarrier, _ side: EntranceComparison.Side, _ isAnyStored: Bool,
        with isWanted: (String) -> Bool = { _ in true }
    ) -> Formula {
        let experience = carrier.experience
        let runs = BucketRuns(experience, under: side.project.options.semantics).runs.filter { run in
            run.variation.flatMap { carrier.variables[$0] }.map(isWanted) ?? false
        }
        let dealt = side.entrances.bucket(of: experience, BucketSet(runs.map(\.values)))
        let isNew =
            side.entrances.passage(of: experience, stored: isAnyStored ? .any : .none).formula && dealt
        guard isAnyStored, carrier.variables.values.contains(where: isWanted) else { return isNew }
        let kept = side.entrances.passage(of: experience, stored: .any, isBucketed: true).formula
        return isNew || kept && side.entrances.storedDecision(experience.id.text)
    }

    /// A visitor who reads different variables of the feature from the two configs.
    private func visitor(
        as model: VisitorSearch.Model, in environment: String?, _ before: [FeatureCarrier],
        of feature: (old: PropertyKey, new: PropertyKey)
    ) -> PopulationVisitor? {
        let name = environment ?? EngineTrial.usualEnvironment
        let oldManager = ExperienceManager(project: old.project, environment: name)
        let newManager = ExperienceManager(project: new.project, environment: name)
        func variables(_ manager: ExperienceManager, _ key: PropertyKey, _ person: PopulationVisitor) -> JSValue? {
            PopulationComparison.features(of: manager, for: person)[key]?.arrayValue?.first?.objectValue?["variables"]
        }
        var found: PopulationVisitor?
        let trial = EngineTrial(old.project, environment: environment, budget: budget)
        _ = trial.visitor(as: model) { person in
            var person = person
            for carrier in before where model.storedDecisions[carrier.experience.id.text] ?? false {
                guard let id = carrier.variables.keys.min().flatMap({ carrier.experience.variations[$0].id }) else {
                    continue
                }
                person.stored.apply(.bucketing(experienceID: carrier.experience.id.key, variationID: id.value))
            }
            guard let was = variables(oldManager, feature.old, person),
                let now = variables(newManager, feature.new, person), was != now
            else { return false }
            found = person
            return true
        }
        return found
    }
}
