internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

extension PopulationSimulation {
    /// The report of a whole population's counts.
    func report(_ tally: SimulationTally, seed: UInt64?) -> SimulationReport {
        let pairs = pairs(tally)
        let sorted = pairs.enumerated().sorted { ($0.element.p, $0.offset) < ($1.element.p, $1.offset) }
        let warning = project.config.warning(ofEnvironment: manager.environment)
        return SimulationReport(
            visitors: tally.visitorCount, seed: seed, environment: manager.environment,
            environmentNote: warning.flatMap { $0.excludesAll ? $0.description : nil },
            unreadAttributes: unreadAttributes(tally), errors: tally.records.errorCount,
            repeatedVisitors: tally.repeatedCount, ignoredStored: tally.records.firstIgnoredStored,
            experiences: corrected(plan.experiences.indices.map { experience($0, tally) }),
            pairs: sorted.prefix(SimulationReport.pairLimit).map(\.element), pairCount: pairs.count,
            exclusions: plan.exclusions.indices.map { exclusion($0, tally) }, overlaps: overlaps(tally),
            experiencesPerVisitor: tally.perVisitor.droppingLast { $0 == 0 })
    }

    private func unreadAttributes(_ tally: SimulationTally) -> [SimulationReport.UnreadAttribute] {
        let known = plan.readAttributes.map(\.name).sorted()
        return tally.unreadAttributes.map(\.name).sorted().map { name in
            SimulationReport.UnreadAttribute(name, among: known)
        }
    }

    /// The experiences with corrected tests, so that all tests of a kind together err as seldom as a single one: the
    /// tests of experiences, and the tests of audiences.
    private func corrected(_ experiences: [SimulationReport.Experience]) -> [SimulationReport.Experience] {
        let tests = experiences.count { $0.ratio != nil }
        let audienceTests = experiences.reduce(0) { $0 + $1.audiences.count { $0.ratio != nil } }
        return experiences.map { experience in
            var experience = experience
            experience.ratio = experience.ratio?.corrected(for: tests)
            for index in experience.audiences.indices {
                experience.audiences[index].ratio = experience.audiences[index].ratio?.corrected(for: audienceTests)
            }
            return experience
        }
    }

    private func overlaps(_ tally: SimulationTally) -> SimulationReport.Overlaps {
        let counts = tally.experiences.map { $0.variations.reduce(0, +) }
        let busiest = counts.indices.filter { $0 < plan.pairedCount && counts[$0] > 0 }
            .sorted { (counts[$1], $0) < (counts[$0], $1) }
        let places = busiest.prefix(SimulationReport.overlapLimit).sorted()
        return SimulationReport.Overlaps(
            experiences: places.map { model($0).entityKey.lookUp.name },
            visitors: places.map { row in
                places.map { column in
                    if row == column { return counts[row] }
                    let (first, second) = (min(row, column), max(row, column))
                    let start = plan.cells(first: first, second: second)
                    let length = plan.experiences[first].variationCount * plan.experiences[second].variationCount
                    return tally.pairs[start..<start + length].reduce(0, +)
                        + tally.keptPairs[SimulationPlan.pair(first, second)]
                }
            })
    }

    private func model(_ place: Int) -> ProjectConfig.Experience {
        project.config.experiences[plan.experiences[place].index]
    }

    private func experience(_ place: Int, _ tally: SimulationTally) -> SimulationReport.Experience {
        let model = model(place)
        let counts = tally.experiences[place]
        let arms = BucketShares(
            of: model, bucketing: project.options.bucketing, semantics: project.options.semantics
        ).arms
        // If several variations have one id, visitors get the first of them.
        let indices = arms.map { arm in model.variations.firstIndex { $0.id?.text == arm.variationID } ?? 0 }
        let shares = arms.map(\.share)
        let observed = indices.map { counts.variations[$0] }
        let bucketed = counts.variations.reduce(0, +)
        let kept = indices.map { counts.kept[$0] }
        // Stored decisions may come from another allocation, so they do not count for this one.
        let dealt = zip(observed, kept).map { $0 - $1 }
        let total = shares.reduce(0, +)
        let visitors = Double(max(1, tally.visitorCount))
        return SimulationReport.Experience(
            key: model.entityKey.lookUp.name, id: model.id.text, environment: model.environmentName,
            eligible: counts.eligible, eligibleByRuleValues: counts.eligibleByRuleValues,
            eligibleWithoutExclusions: counts.eligible + counts.keptOut, starvedBy: starving(place, tally),
            eligibleShare: Double(counts.eligible) / visitors, bucketed: bucketed,
            reasons: Dictionary(uniqueKeysWithValues: counts.reasons.map { ("\($0.key)", $0.value) }),
            variations: arms.indices.map { index in
                SimulationReport.Variation(
                    key: arms[index].variationKey, id: arms[index].variationID, bucketShare: shares[index],
                    observed: observed[index],
                    expected: total > 0 ? Double(dealt.reduce(0, +)) * shares[index] / total : 0,
                    stored: kept[index],
                    trafficShare: Double(observed[index]) / visitors)
            }, ratio: SimulationReport.Ratio(dealt, shares: shares),
            audiences: plan.experiences[place].audiences.enumerated().map { slot, audience in
                let start = slot * counts.variations.count
                let members = indices.map { counts.memberVariations[start + $0] }
                let model = project.config.audiences[audience]
                // An exclusion asks for a stored decision in place of the visitor's properties.
                let isKnown = model.rules?.exclusion == nil
                return SimulationReport.Audience(
                    key: model.entityKey.lookUp.name, id: model.id.text, matched: isKnown ? counts.members[slot] : nil,
                    observed: members,
                    ratio: SimulationReport.Ratio(members, shares: shares))
            })
    }

    /// The keys of the experiences that leave no visitor to the one at `place`.
    private func starving(_ place: Int, _ tally: SimulationTally) -> [String] {
        guard tally.experiences[place].eligible == 0 else { return [] }
        let others = plan.exclusions.indices.filter {
            plan.exclusions[$0].experience == place && tally.exclusions[$0].keptOut > 0
        }.map { plan.exclusions[$0].other }
        return Set(others).sorted().map { model($0).entityKey.lookUp.name }
    }

    private func exclusion(_ index: Int, _ tally: SimulationTally) -> SimulationReport.Exclusion {
        let exclusion = plan.exclusions[index]
        return SimulationReport.Exclusion(
            experience: model(exclusion.experience).entityKey.lookUp.name,
            audience: project.config.audiences[exclusion.audience].entityKey.lookUp.name,
            other: model(exclusion.other).entityKey.lookUp.name, keepsOut: exclusion.keepsOut,
            both: tally.exclusions[index].both,
            otherOnly: tally.exclusions[index].otherOnly, isDecidedLater: exclusion.other > exclusion.experience,
            keptOut: tally.exclusions[index].keptOut, keptOutAlone: tally.exclusions[index].keptOutAlone)
    }

    /// The pairs of experiences with enough visitors to test whether their variations depend on each other.
    private func pairs(_ tally: SimulationTally) -> [SimulationReport.Pair] {
        var tests: [(first: Int, second: Int, test: IndependenceTest)] = []
        for second in 0..<plan.pairedCount {
            for first in 0..<second {
                let width = plan.experiences[second].variationCount
                let start = plan.cells(first: first, second: second)
                let cells = tally.pairs[start..<start + plan.experiences[first].variationCount * width]
                if let test = IndependenceTest(cells, width: width) { tests.append((first, second, test)) }
            }
        }
        return tests.map { first, second, test in
            let isDependent = test.p * Double(tests.count) < SampleRatioTest.threshold
            return SimulationReport.Pair(
                first: model(first).entityKey.lookUp.name, second: model(second).entityKey.lookUp.name,
                both: test.total, chiSquare: test.chiSquare,
                degreesOfFreedom: test.degreesOfFreedom, p: test.p,
                isDependent: isDependent, table: isDependent ? table(first, second, tally) : nil)
        }
    }

    /// The numbers of visitors by both variations, without variations that no visitor got.
    private func table(_ first: Int, _ second: Int, _ tally: SimulationTally) -> SimulationReport.Pair.Table {
        let width = plan.experiences[second].variationCount
        let start = plan.cells(first: first, second: second)
        func count(_ row: Int, _ column: Int) -> Int { tally.pairs[start + row * width + column] }
        let (rows, columns) = (0..<plan.experiences[first].variationCount, 0..<width)
        let usedRows = rows.filter { row in columns.contains { count(row, $0) > 0 } }
        let usedColumns = columns.filter { column in rows.contains { count($0, column) > 0 } }
        return SimulationReport.Pair.Table(
            rows: usedRows.map { model(first).variations[$0].keyOrID ?? "" },
            columns: usedColumns.map { model(second).variations[$0].keyOrID ?? "" },
            visitors: usedRows.map { row in usedColumns.map { count(row, $0) } })
    }
}

extension [Int] {
    /// The elements without those at the end for which `isEmpty` is true.
    fileprivate func droppingLast(while isEmpty: (Int) -> Bool) -> [Int] {
        Array(self[..<(lastIndex { !isEmpty($0) }.map { $0 + 1 } ?? 0)])
    }
}
