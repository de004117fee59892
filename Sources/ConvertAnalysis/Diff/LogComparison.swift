internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Counts what the calls of a decision log get from two configs.
struct LogComparison: Sendable {
    private let old: DecisionReplay
    private let new: DecisionReplay
    private let comparison: PopulationComparison

    /// - Parameters:
    ///   - old: the old config.
    ///   - new: the new config.
    ///   - comparison: what is known of names in both.
    ///   - options: how lines are decided.
    init(
        from old: ProjectConfig, to new: ProjectConfig, comparison: PopulationComparison,
        options: DecisionReplay.Options
    ) {
        self.old = DecisionReplay([DecisionReplay.Candidate(old)], options: options)
        self.new = DecisionReplay([DecisionReplay.Candidate(new)], options: options)
        self.comparison = comparison
    }

    /// Counts over the lines of a part.
    func count(linesOf part: RecordReader.Part) -> PopulationComparison.Tally {
        var tally = PopulationComparison.Tally()
        var records = AssignmentTally()
        part.forEachLogLine(&records) { line throws(PopulationVisitorError) in
            guard !line.hasNoVisitorID else {
                tally.unknowableCount += 1
                return
            }
            var line = line
            // A call for features decides the experiences that carry them.
            if line.call.asksForFeatures { line.call.question = .allExperiences }
            let before = try old.decisions(of: line, explains: false)
            let after = try new.decisions(of: line, explains: false)
            let id = Array(line.visitor.visitorID.utf8).withElements(FNV1a.hash)
            let isByID = line.call.question == .experienceID
            comparison.count(
                answers(before, isByID: isByID), answers(after, isByID: isByID), visitor: id, &tally)
        }
        tally.records = records
        return tally
    }

    /// The variations by experience; features are not counted.
    private func answers(_ decisions: [ReplayedDecision], isByID: Bool) -> [PropertyKey: PropertyKey] {
        var answers: [PropertyKey: PropertyKey] = [:]
        for decision in decisions {
            guard case .experience(let name) = decision.subject, let variation = decision.found?.stringValue else {
                continue
            }
            let key = isByID ? decision.decision?.variation?.experienceKey ?? name : name
            answers[PropertyKey(key)] = PropertyKey(variation)
        }
        return answers
    }
}
