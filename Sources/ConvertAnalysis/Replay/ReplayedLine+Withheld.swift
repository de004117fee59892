internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

extension ReplayedLine {
    /// The decisions of the call in their order, followed by the decisions that only this config makes.
    ///
    /// If the line withholds properties, it is decided with every value that rules distinguish. An answer differs if no
    /// value leads to the logged one. It cannot be determined if some values lead to the logged answer and others do
    /// not. Where the log is not trusted, a decision is known if every value gives the same.
    func decisions(_ wishes: Wishes = Wishes()) -> [ReplayedDecision] {
        let plain = decideOnce(wishes)
        if logged.withheld.isEmpty || logged.call.properties != nil { return plain }
        let values = engine.withheldValues(of: logged)
        if values.names.isEmpty { return plain }
        let lines = values.lines(for: logged).map { ReplayedLine($0, engine, standIns, trustsLog: trustsLog) }
        var bare = wishes
        bare.explains = false
        func bySubject(_ decisions: [ReplayedDecision]) -> [DecisionReplay.Subject: ReplayedDecision] {
            Dictionary(firstOf: decisions.map { ($0.subject, $0) })
        }
        let trials = lines.map { bySubject($0.decideOnce(bare)) }
        var subjects = plain.map(\.subject)
        for trial in trials { subjects += trial.keys.filter { !subjects.contains($0) }.sorted { $0.name < $1.name } }
        if !trustsLog {
            return subjects.compactMap { subject in
                var decision = trials.lazy.compactMap { $0[subject] }.first
                let isKnown = trials.allSatisfy { trial in
                    trial[subject].map { $0.found == decision?.found && $0.withheld.isEmpty } ?? false
                }
                if !isKnown { decision?.withheld = values.names }
                return decision
            }
        }
        // Prefer the values that explain the most answers, and among those the values that explain the earliest ones.
        let scores = trials.map { trial in subjects.map { !(trial[$0]?.isKnownToDiffer ?? false) } }
        let best = scores.indices.max { left, right in
            let counts = (scores[left].count(where: \.self), scores[right].count(where: \.self))
            if counts.0 != counts.1 { return counts.0 < counts.1 }
            let place = subjects.indices.first { scores[left][$0] != scores[right][$0] }
            return place.map { scores[right][$0] } ?? false
        }
        guard let best else { return plain }
        let decided = bySubject(plain)
        let explained = wishes.explains ? bySubject(lines[best].decideOnce(wishes)) : trials[best]
        return subjects.compactMap { subject in
            let trial = explained[subject]
            var decision = decided[subject] ?? trial ?? trials.lazy.compactMap { $0[subject] }.first
            if trial?.isKnownToDiffer ?? false {
                decision = trial
            } else if trials.allSatisfy({ $0[subject].map { !$0.isDifferent && $0.unknowable.isEmpty } ?? true }) {
                decision = trial ?? decision
                decision?.withheld = []
            } else if decision?.withheld.isEmpty ?? false {
                decision?.withheld = values.names
            }
            return decision
        }
    }
}
