internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Counts the differences between two configs for the calls of a decision log.
struct LogComparison: Sendable {
    /// One of the two configs.
    private struct Side {
        let replay: DecisionReplay
        /// The places of the config's experiences in the difference.
        let places: DifferencePlaces
    }

    private let old: Side
    private let new: Side
    private let comparison: PopulationComparison

    /// - Parameters:
    ///   - old: the old config.
    ///   - new: the new config.
    ///   - comparison: the names in both configs.
    ///   - options: the options for deciding lines.
    init(
        from old: ProjectConfig, to new: ProjectConfig, comparison: PopulationComparison,
        options: DecisionReplay.Options
    ) {
        var options = options
        // The decisions in the log come from another config, so they decide nothing here.
        options.trustsLog = false
        self.old = Side(
            replay: DecisionReplay([DecisionReplay.Candidate(old)], options: options), places: comparison.oldPlaces)
        self.new = Side(
            replay: DecisionReplay([DecisionReplay.Candidate(new)], options: options), places: comparison.newPlaces)
        self.comparison = comparison
    }

    /// Counts the lines of a part.
    func count(linesOf part: RecordReader.Part) -> PopulationComparison.Tally {
        var tally = PopulationComparison.Tally()
        var records = RecordTally()
        part.forEachLogLine(&records) { line throws(PopulationVisitorError) in
            guard !line.hasNoVisitorID else {
                tally.unknowableCount += 1
                return
            }
            // Mixed, because the sample is chosen by some of the hash's bits.
            var mixer = SplitMix64(seed: Array(line.visitor.visitorID.utf8).withElements(FNV1a.hash))
            let id = mixer.next()
            comparison.count(try answers(to: line, of: old), try answers(to: line, of: new), visitor: id, &tally)
        }
        tally.records = records
        return tally
    }

    /// The variations for a line, by experience. If the line has features, also the features that differ between the
    /// configs.
    private func answers(
        to line: LoggedDecisions, of side: Side
    ) throws(PopulationVisitorError) -> PopulationComparison.Answers {
        var answers = PopulationComparison.Answers()
        let replay = side.replay
        var line = line
        let hasFeatures = line.call.asksForFeatures || !line.features.isEmpty
        line.features = [:]
        if hasFeatures, !comparison.features.isEmpty { try addFeatures(of: line, by: replay, to: &answers) }
        // A call for features decides the experiences that carry them.
        if line.call.asksForFeatures { line.call.question = .allExperiences }
        if !line.withheld.isEmpty {
            let keys = line.call.asksForAllExperiences ? replay.decisionKeys : line.decisions.map(\.key)
            line.decisions = JSObject()
            for key in keys { line.decisions[key] = .null }
        }
        let isByID = line.call.question == .experienceID
        for decision in try replay.decisions(of: line, explains: false) {
            let (isKnown, variation) = (decision.withheld.isEmpty, decision.found?.stringValue)
            guard case .experience(let name) = decision.subject, !isKnown || variation != nil else { continue }
            let key = PropertyKey(name)
            guard let place = isByID ? side.places[id: key] : side.places[key: key] else { continue }
            if !isKnown {
                answers.unknowable.insert(place)
            } else if let variation {
                answers.variations[place] = PropertyKey(variation)
            }
        }
        return answers
    }

    private func addFeatures(
        of line: LoggedDecisions, by replay: DecisionReplay, to answers: inout PopulationComparison.Answers
    ) throws(PopulationVisitorError) {
        var line = line
        if !line.call.asksForFeatures { line.call.question = .features }
        for key in comparison.features {
            if case .feature(let asked, _) = line.call.question, PropertyKey(asked) != key { continue }
            line.features[key] = .null
            answers.askedFeatures.insert(key)
        }
        for decision in try replay.decisions(of: line, explains: false) {
            let key = PropertyKey(decision.name)
            if !decision.withheld.isEmpty {
                answers.unknowableFeatures.insert(key)
            } else if let found = decision.found, !found.isNull {
                answers.features[key] = found
            }
        }
    }
}
