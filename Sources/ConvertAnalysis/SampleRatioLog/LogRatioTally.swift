internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The counts of each experience in a log, line by line.
struct LogRatioTally: Sendable {
    /// The maximum number of distinct values of an attribute.
    private static let mostSegments = 1_000
    /// The maximum number of listed visitors with two variations, for an experience.
    private static let mostExamples = 10
    /// The maximum number of distinct unavailable configs.
    private static let mostUnknownConfigs = 1_000
    /// The maximum number of seconds by which lines may be out of order, because several processes may write to a log.
    private static let mostSecondsOutOfOrder = 60

    /// The counts of one experience.
    private struct Counts {
        var all: ReleaseRatioProcess
        var days = RatioProcesses<String>()
        var segments = RatioProcesses<String>()
        var timeline = RatioTimeline()
        var onset = RatioOnset()
        var brokeAt: SampleRatioLogReport.Break?
        /// For each segment, in order, the estimated start of its mismatch.
        var segmentOnsets: [RatioOnset] = []
        /// The breaks of segments, and the segments in the order of their breaks.
        var segmentBreaks: [String: SampleRatioLogReport.Break] = [:]
        var brokenSegments: [String] = []
        var crossoverCount = 0
        var crossovers: [SampleRatioLogReport.Crossover] = []
        var uncounted = SampleRatioLogReport.Uncounted()
        /// The visitors with a variation from before the log.
        var earlier = EarlierVisitors()
        var undealtBefore = UndealtBefore()
    }

    /// The first use of a config.
    private struct FirstUse {
        var seconds = Int.max
        let line: Int

        var place: (Int, Int) { (seconds, line) }
    }

    private(set) var lines = RecordTally()
    private var unknownConfigs: [String?: Int] = [:]
    private var unknownCount = 0
    private var environments = LogEnvironments()
    private var repeatCount = 0
    private var lineNumber = 0
    private var otherLineCount = 0
    private var untimedCount = 0
    private var disorderCount = 0
    private var latest = Int.min
    private var attributeCount = 0
    private var withholdingCount = 0
    /// For each config, its first use; `nil` if it decided no line.
    private var firstUses: [FirstUse?]
    private let allocations: LogAllocations
    /// The allocations so far, by their numbers.
    private var knownAllocations: [AllocatedBuckets] = []
    private let arms: [LogArms]
    private let revisions: [String]
    private let options: SampleRatioLog.Options
    private let isWanted: [Bool]
    private var counts: [Counts]
    private var visitors: KnownVisitors
    private var undealt: UndealtCounts
    private var leastShares = LeastShares()

    init(_ allocations: LogAllocations, _ revisions: [String], _ options: SampleRatioLog.Options) {
        self.allocations = allocations
        arms = allocations.arms
        self.revisions = revisions
        firstUses = Array(repeating: nil, count: revisions.count)
        self.options = options
        isWanted = allocations.isNamed(by: options.experiences)
        undealt = UndealtCounts(experiences: arms.count, limit: options.mostVisitors)
        visitors = KnownVisitors(experiences: isWanted.count { $0 }, limit: options.mostVisitors)
        counts = arms.map { Counts(all: ReleaseRatioProcess(arms: $0.ids.count, configs: revisions.count)) }
    }

    /// Adds the part that follows.
    mutating func add(_ part: LogRatioPart) {
        lines.add(part.tally)
        knownAllocations = allocations.all
        environments.add(part.environments)
        unknownCount += part.unknownCount
        attributeCount += part.attributeCount
        withholdingCount += part.withholdingCount
        for (revision, count) in part.unknownConfigs {
            let isListed = unknownConfigs[revision] != nil || unknownConfigs.count < Self.mostUnknownConfigs
            unknownConfigs[isListed ? revision : "(other)", default: 0] += count
        }
        for line in part.lines {
            lineNumber += 1
            addTime(of: line)
            undealt.add(line, part.decisions[line.decisions])
            var isOther = true
            for decision in part.decisions[line.decisions] where isWanted[decision.experience] {
                isOther = false
                add(decision, line, part)
            }
            if isOther { otherLineCount += 1 }
        }
    }

    private mutating func addTime(of line: LogRatioPart.Line) {
        if firstUses[line.config] == nil { firstUses[line.config] = FirstUse(line: lineNumber) }
        guard let seconds = line.seconds else {
            untimedCount += 1
            return
        }
        if let first = firstUses[line.config], seconds < first.seconds {
            firstUses[line.config]?.seconds = seconds
        }
        if seconds > latest {
            latest = seconds
        } else if seconds < latest - Self.mostSecondsOutOfOrder {
            disorderCount += 1
        }
    }

    private mutating func add(_ decision: LogRatioPart.Decision, _ line: LogRatioPart.Line, _ part: LogRatioPart) {
        let place = decision.experience
        switch decision.outcome {
        case .dealt, .stored: break
        case .unallocated:
            guard let known = visitors.mark(of: line.visitor, in: place), !known.isUndealt else {
                return counts[place].uncounted.add(decision.outcome)
            }
            // A visitor keeps a variation that the config no longer gives.
            if !isSameVariation(known.arm, decision.arm, in: place) { counts[place].uncounted.add(decision.outcome) }
        case .none:
            // A single config has a single allocation.
            if revisions.count > 1 { visitors.note(undealtUnder: decision.allocation, line.visitor, in: place) }
            return counts[place].uncounted.add(decision.outcome)
        case .ineligible, .forced, .unknown, .untold: return counts[place].uncounted.add(decision.outcome)
        }
        let known = visitors.update(.init(arm: decision.arm, config: line.config), of: line.visitor, in: place)
        if let known, known.isUndealt {
            // Among the bucket values that another allocation left free, one arm may be overrepresented under this
            // allocation.
            if known.allocation != decision.allocation { return addUndealt(before: known, decision) }
        } else if let known {
            repeatCount += 1
            if !isSameVariation(known.arm, decision.arm, in: place) { addCrossover(known, decision, line, part) }
            return
        }
        // If the visitor had the variation before the log began, the config that assigned it is unknown.
        if decision.outcome == .stored {
            counts[place].earlier.add(
                decision, knownAllocations[decision.allocation], line,
                visitorID: line.hasPseudonym ? nil : part.visitorID(of: line))
            return counts[place].uncounted.add(.stored)
        }
        let shares = knownAllocations[decision.allocation].shares
        counts[place].earlier.addAssigned(decision, shares, line)
        let isBreak = counts[place].all.add(decision.arm, shares, config: line.config)
        if counts[place].brokeAt == nil {
            counts[place].onset.add(decision.arm, shares, day: line.day, config: line.config)
            if isBreak {
                let visitors = counts[place].all.whole.count
                counts[place].brokeAt = makeBreak(counts[place].onset, at: line, part, visitors: visitors)
                counts[place].onset = RatioOnset()
            }
        }
        if counts[place].timeline.add(day: line.day, config: line.config, counts[place].all.largest) {
            counts[place].days.add(decision.arm, shares, to: line.day)
        }
        guard options.attribute != nil else { return }
        let isKnown = counts[place].segments.contains(line.segment)
        let segment = isKnown || counts[place].segments.count < Self.mostSegments ? line.segment : "(other)"
        let addition = counts[place].segments.add(decision.arm, shares, to: segment)
        if addition.place == counts[place].segmentOnsets.count { counts[place].segmentOnsets.append(RatioOnset()) }
        guard counts[place].segmentBreaks[segment] == nil else { return }
        counts[place].segmentOnsets[addition.place].add(
            decision.arm, shares, day: line.day, config: line.config)
        guard addition.effect.isBreak else { return }
        let visitors = counts[place].segments.processes[addition.place].count
        counts[place].segmentBreaks[segment] = makeBreak(
            counts[place].segmentOnsets[addition.place], at: line, part, visitors: visitors)
        counts[place].segmentOnsets[addition.place] = RatioOnset()
        counts[place].brokenSegments.append(segment)
    }

    /// Counts a visitor apart who had no variation under another allocation.
    private mutating func addUndealt(before known: KnownVisitors.Mark, _ decision: LogRatioPart.Decision) {
        counts[decision.experience].uncounted.undealtBefore += 1
        guard decision.outcome == .dealt else { return }
        let shares = leastShares.shares(
            now: decision.allocation, before: known.isOfSeveral ? nil : known.allocation, of: knownAllocations)
        counts[decision.experience].undealtBefore.add(
            decision.arm, under: decision.allocation, leastShares: shares)
    }

    private func makeBreak(
        _ onset: RatioOnset, at line: LogRatioPart.Line, _ part: LogRatioPart, visitors: Int
    ) -> SampleRatioLogReport.Break {
        func named(_ day: String?) -> String? { day.flatMap { $0.isEmpty ? nil : $0 } }
        let start = onset.start
        return SampleRatioLogReport.Break(
            day: named(start?.day), config: revisions[start?.config ?? line.config], line: lineNumber,
            time: part.time(of: line), foundDay: named(line.day), foundConfig: revisions[line.config],
            visitors: visitors)
    }

    private mutating func addCrossover(
        _ known: KnownVisitors.Mark, _ decision: LogRatioPart.Decision, _ line: LogRatioPart.Line,
        _ part: LogRatioPart
    ) {
        let place = decision.experience
        counts[place].crossoverCount += 1
        guard counts[place].crossovers.count < Self.mostExamples else { return }
        counts[place].crossovers.append(
            SampleRatioLogReport.Crossover(
                visitorID: part.visitorID(of: line), from: name(known.arm, in: place),
                to: name(decision.arm, in: place), fromConfig: revisions[known.config],
                toConfig: revisions[line.config],
                day: line.day.isEmpty ? nil : line.day))
    }

    /// Whether two arms are one variation, whose id may have changed.
    private func isSameVariation(_ first: Int, _ second: Int, in place: Int) -> Bool {
        first == second || name(first, in: place) == name(second, in: place)
    }

    private func name(_ arm: Int, in place: Int) -> String {
        arm < arms[place].names.count ? arms[place].names[arm] : ""
    }

    /// The report of the log so far, which `candidates` decided.
    func report(_ candidates: [DecisionReplay.Candidate]) -> SampleRatioLogReport {
        let keyCounts = Dictionary(grouping: arms, by: \.key).mapValues(\.count)
        return SampleRatioLogReport(
            lines: lines.recordCount, errors: lines.errorCount, firstErrors: lines.firstErrors,
            unknownConfigs: unknownConfigs.map { .init(revision: $0.key, lines: $0.value) }
                .sorted { ($1.lines, $0.place) < ($0.lines, $1.place) },
            environmentWarnings: environments.warnings(candidates), unknownExperiences: unknownCount,
            linesWithoutDecision: otherLineCount, linesWithoutTime: untimedCount,
            linesOutOfOrder: disorderCount,
            uncounted: counts.map(\.uncounted).reduce(into: .init()) { $0.add($1) }, repeats: repeatCount,
            recognizesAllVisitors: !visitors.isFull && !undealt.isSample,
            linesWithAttribute: options.attribute.map { _ in attributeCount },
            linesWithholdingAttribute: options.attribute.map { _ in withholdingCount },
            experiences: counts.indices.filter { isWanted[$0] }.compactMap { place in
                let rate = undealt.rate(of: place, arms[place].key, hasSegments: options.attribute != nil)
                guard isReported(place) || rate.isChanged else { return nil }
                return experience(at: place, isAlone: keyCounts[arms[place].key] == 1, rate)
            })
    }

    /// Whether the report includes an experience.
    private func isReported(_ place: Int) -> Bool {
        counts[place].all.whole.count > 0 || counts[place].crossoverCount > 0 || !options.experiences.isEmpty
            || counts[place].uncounted.unknownVariations > 0
    }

    private func experience(
        at place: Int, isAlone: Bool, _ rate: SampleRatioLogReport.Rate
    ) -> SampleRatioLogReport.Experience {
        let found = counts[place]
        // With several segments, each needs more evidence, so that all of them together err as seldom as one.
        var segments = groups(found.segments, place).sorted { ($1.visitors, $0.name) < ($0.visitors, $1.name) }
        for index in segments.indices where segments[index].verdict == .mismatch {
            segments[index].brokeAt = found.segmentBreaks[segments[index].name]
        }
        var configs = found.all.configs.enumerated().map { order, config in
            let times = found.all.correction(ofConfigAt: order)
            return (number: config.number, group: group(revisions[config.number], config.process, place, times: times))
        }
        var whole = group(arms[place].key, found.all.whole, place, p: found.all.p)
        let broken = configs.indices.filter { configs[$0].group.verdict == .mismatch }
        var explanations = broken.map { index in
            let config = found.all.configs[index]
            let explanation = found.earlier.explanation(
                of: config.process, config: config.number, recognizesAll: !visitors.isFull)
            if explanation?.isAccepted == true { configs[index].group.withdrawMismatch() }
            return explanation
        }
        if broken.isEmpty, whole.verdict == .mismatch {
            explanations = [found.earlier.explanation(of: found.all.whole, recognizesAll: !visitors.isFull)]
        }
        let explanation = SampleRatioLogReport.EarlierAllocation(explanations)
        let isExplained = explanation?.isAccepted == true
        // Configs that decided lines but assigned no variation are listed too.
        let dealing = Set(configs.map(\.number))
        for number in revisions.indices where firstUses[number] != nil && !dealing.contains(number) {
            let empty = RatioProcess(arms: arms[place].ids.count)
            configs.append((number: number, group: group(revisions[number], empty, place, p: 1)))
        }
        let places = firstUses.map { $0?.place ?? (.max, .max) }
        configs.sort { places[$0.number] < places[$1.number] }
        for index in configs.indices {
            configs[index].group.firstDay = found.timeline.firstDays[configs[index].number]
        }
        var days = groups(found.days, place).sorted { $0.name < $1.name }
        for (index, p) in found.timeline.probabilities(days.map(\.name)).enumerated() { days[index].pSoFar = p }
        if isExplained {
            whole.withdrawMismatch()
            for index in days.indices { days[index].withdrawMismatch() }
            for index in segments.indices { segments[index].withdrawMismatch() }
        }
        let brokenSegments = Set(segments.filter { $0.verdict == .mismatch }.map(\.name))
        return SampleRatioLogReport.Experience(
            experienceKey: arms[place].key, experienceID: arms[place].experienceID,
            label: isAlone ? arms[place].key : "\(arms[place].key) (id \(arms[place].experienceID))",
            whole: whole, earlierAllocation: explanation, brokeAt: isExplained ? nil : found.brokeAt,
            firstBrokenSegment: found.brokenSegments.first(where: brokenSegments.contains),
            attribute: options.attribute,
            configs: configs.map(\.group), days: days, isInOrder: found.timeline.isInOrder, segments: segments,
            crossoverCount: found.crossoverCount, crossovers: found.crossovers, uncounted: found.uncounted,
            possiblyLost: found.undealtBefore.lost.map { arm, expected in
                SampleRatioLogReport.Variation(name: arms[place].names[arm], observed: 0, expected: expected)
            },
            undealt: rate)
    }

    private func groups(_ processes: RatioProcesses<String>, _ place: Int) -> [SampleRatioLogReport.Group] {
        zip(processes.names, processes.processes).map { group($0, $1, place, times: Double(processes.count)) }
    }

    private func group(
        _ name: String, _ process: RatioProcess, _ place: Int, times tests: Double
    ) -> SampleRatioLogReport.Group {
        group(name, process, place, p: min(1, process.p * tests))
    }

    private func group(
        _ name: String, _ process: RatioProcess, _ place: Int, p: Double
    ) -> SampleRatioLogReport.Group {
        let total = max(1, Double(process.count))
        return SampleRatioLogReport.Group(
            name: name, visitors: process.count, p: p,
            verdict: process.count == 0
                ? .notEnoughEvidence
                : SampleRatioVerdict(
                    p: p, counts: process.observed, shares: process.expected.map { $0 / total },
                    minDifference: options.minDifference),
            variations: arms[place].names.indices.map { index in
                SampleRatioLogReport.Variation(
                    name: arms[place].names[index], observed: Int(process.observed[index]),
                    expected: process.expected[index])
            })
    }
}

/// A visitor's last decision in an experience. The mark of a variation has the config that decided it; the mark of no
/// variation has the allocation that gave none.
extension KnownVisitors.Mark {
    /// In place of an arm: the visitor had no variation.
    private static let noArm = Int(UInt16.max) - 1
    /// The number that stands for several allocations.
    private static let several = Int(UInt16.max)

    fileprivate init(arm: Int, config: Int) { self.init(first: arm, second: config) }

    fileprivate init(undealtUnder allocation: Int) { self.init(first: Self.noArm, second: allocation) }

    fileprivate var isUndealt: Bool { first == Self.noArm }

    /// Whether several allocations gave the visitor no variation.
    fileprivate var isOfSeveral: Bool { second == Self.several }

    /// The mark of the same visitor after another line without a variation, under `allocation`.
    fileprivate func alsoUndealt(under allocation: Int) -> Self {
        Self(undealtUnder: allocation == self.allocation ? allocation : Self.several)
    }

    fileprivate var arm: Int { first }
    fileprivate var config: Int { second }
    fileprivate var allocation: Int { second }
}

extension KnownVisitors {
    /// Records that a visitor has no variation under the allocation with this number, unless the visitor had one.
    fileprivate mutating func note(undealtUnder allocation: Int, _ visitor: UInt64, in experience: Int) {
        guard let known = update(Mark(undealtUnder: allocation), of: visitor, in: experience) else { return }
        // A visitor with a variation keeps it.
        _ = update(known.isUndealt ? known.alsoUndealt(under: allocation) : known, of: visitor, in: experience)
    }
}

extension SampleRatioLogReport.UnknownConfig {
    /// The text that configs with equally many lines are sorted by. Lines without a revision come first.
    fileprivate var place: String { revision.map { "=" + $0 } ?? "" }
}
