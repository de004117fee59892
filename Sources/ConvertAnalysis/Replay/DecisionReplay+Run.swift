internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What came of the replay of a log.
public struct ReplayTally: Sendable, Equatable {
    /// What came of its lines.
    public internal(set) var lines = AssignmentTally()
    /// Number of decisions made again.
    public internal(set) var decisionCount = 0
    /// Number of those that come out otherwise.
    public internal(set) var differenceCount = 0
    /// Number of those in lines that withhold what may have decided them.
    public internal(set) var withheldCount = 0
    /// Number of decisions that cannot be made again, because their lines have no visitor's id.
    public internal(set) var undecidableCount = 0
    /// Number of lines that were decided again with another config than the one that they name.
    public internal(set) var otherConfigCount = 0
    /// How many decisions went from what to what, of those that come out otherwise and withhold nothing.
    /// The first 10,000 routes are listed, as far as their texts take at most 16 MB together.
    public internal(set) var routes: [ReplayRoute: Int] = [:]
    /// How many bytes their texts take together.
    private var routeLength = 0
    /// Number of those decisions that went by routes that are not listed.
    public internal(set) var otherRouteCount = 0
    /// How many decisions of each experience or feature cannot be known, because lines withhold what may have decided
    /// them. The first 10,000 experiences and features are listed.
    public internal(set) var unknowable: [DecisionReplay.Subject: Int] = [:]

    /// How many lines withhold a property that no rule reads, by its name. The first 20 names are listed.
    public internal(set) var unreadNames: [String: Int] = [:]

    fileprivate var environments = LogEnvironments()

    /// What is odd about the environments that lines are decided in again.
    public internal(set) var environmentWarnings: [LogEnvironmentWarning] = []

    /// Number of decisions that come out otherwise, although the line has all that decided them.
    public var knownDifferenceCount: Int { differenceCount - withheldCount }

    /// How many routes are listed: a feature's values, which visitors may differ in, are among them.
    static let routeLimit = 10_000
    /// How many bytes their texts may take together.
    static let routeLengthLimit = 16 << 20

    mutating func add(_ count: Int, by route: ReplayRoute) {
        if let known = routes[route] {
            routes[route] = known + count
        } else if routes.count < Self.routeLimit, routeLength + route.length <= Self.routeLengthLimit {
            routes[route] = count
            routeLength += route.length
        } else {
            otherRouteCount += count
        }
    }

    private mutating func add(_ count: Int, unknowableOf subject: DecisionReplay.Subject) {
        guard unknowable.count < Self.routeLimit || unknowable[subject] != nil else { return }
        unknowable[subject, default: 0] += count
    }

    /// How many names are listed that no rule reads.
    private static let nameLimit = 20

    mutating func add(_ count: Int, unread name: String) {
        if unreadNames.count < Self.nameLimit || unreadNames[name] != nil { unreadNames[name, default: 0] += count }
    }

    mutating func add(_ next: ReplayTally) {
        for (name, count) in next.unreadNames.sorted(by: { $0.key < $1.key }) { add(count, unread: name) }
        for (route, count) in next.sortedRoutes { add(count, by: route) }
        otherRouteCount += next.otherRouteCount
        for (subject, count) in next.sortedUnknowable { add(count, unknowableOf: subject) }
        lines.add(next.lines)
        environments.add(next.environments)
        decisionCount += next.decisionCount
        differenceCount += next.differenceCount
        withheldCount += next.withheldCount
        undecidableCount += next.undecidableCount
        otherConfigCount += next.otherConfigCount
    }
}

extension ReplayTally {
    fileprivate mutating func add(_ decisions: [ReplayedDecision], _ differences: [DecisionReplay.Difference]) {
        decisionCount += decisions.count { $0.found != nil }
        undecidableCount += decisions.count { $0.found == nil }
        differenceCount += differences.count
        for decision in decisions where !decision.unknowable.isEmpty { add(1, unknowableOf: decision.subject) }
        for difference in differences {
            if difference.withheld.isEmpty {
                add(1, by: ReplayRoute(difference))
            } else {
                withheldCount += 1
            }
        }
    }
}

extension DecisionReplay {
    /// A part of a log, decided again.
    fileprivate struct Part: Sendable {
        /// The differences without the numbers of their lines, which only a reader of the parts before knows.
        var json = JSONBytes(capacity: 0)
        /// For each of them the line, from 1, and where it ends.
        var ends: [(line: Int, end: Int)] = []
        var tally = ReplayTally()
    }

    /// Decides a log again on several threads and writes a line for each difference, in the order of the log. Memory
    /// does not grow with it. Lines that cannot be read are counted and written nowhere.
    ///
    /// The parameters are those of ``PopulationAssignment/run(_:threads:read:write:didWrite:)``.
    public func run(
        threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
        didWrite: @escaping @Sendable (ReplayTally) -> Void = { _ in }
    ) throws -> ReplayTally {
        let stream = try unsafe RecordStream(.jsonLines, read: read)
        var tally = try stream.fold(
            into: ReplayTally(), threads: threads, by: { { replay($0) } },
            adding: { (tally: inout ReplayTally, part: Part) in
                let json = part.numbered(after: tally.lines.readCount)
                if !json.bytes.isEmpty { try unsafe json.bytes.withUnsafeBytes(write) }
                tally.add(part.tally)
                didWrite(tally)
            })
        tally.environmentWarnings = warnings(of: tally.environments)
        return tally
    }

    private func replay(_ records: RecordReader.Part) -> Part {
        var part = Part()
        var lines = AssignmentTally()
        records.forEachLogLine(&lines) { logged throws(PopulationVisitorError) in
            guard isWanted(logged) else { return }
            let decisions = try decisions(of: logged, explains: false)
            let differences = decisions.compactMap { Difference($0, of: logged) }
            part.tally.add(decisions, differences)
            for name in try unreadNames(withheldBy: logged) { part.tally.add(1, unread: name) }
            if try usesOtherConfig(logged) { part.tally.otherConfigCount += 1 }
            try countEnvironment(of: logged, in: &part.tally.environments)
            for var difference in differences {
                part.ends.append((difference.line ?? 0, 0))
                difference.line = nil
                part.json.append(line: difference.json)
                part.ends[part.ends.count - 1].end = part.json.bytes.count
            }
        }
        part.tally.lines = lines
        return part
    }

    /// Counts the environment that a line is decided in again.
    private func countEnvironment(
        of logged: LoggedDecisions, in environments: inout LogEnvironments
    ) throws(PopulationVisitorError) {
        let index = try candidates.index(named: logged.configRevision, orOnly: true)
        environment(of: logged).withUTF8Bytes { environments.add($0, config: index) }
    }

    /// What is odd about environments, unless the caller chose another one.
    private func warnings(of environments: LogEnvironments) -> [LogEnvironmentWarning] {
        options.environment == nil ? environments.warnings(candidates) : []
    }

    /// Whether `logged` is of the visitor whom the options name, if they name one: by the pseudonym, if it has one.
    private func isWanted(_ logged: LoggedDecisions) -> Bool {
        options.visitorID.map { $0.hasSameCodeUnits(as: logged.visitor.visitorID) } ?? true
    }

    /// Passes each line of a log to `add`, in order, with its decisions made again and explained: for the visitor whom
    /// the options name, or for all. What is no line is counted only. Also returns what is odd about the environments
    /// that these lines are decided in.
    package func fold<Sum: Sendable>(
        into sum: Sum, threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        adding add: @escaping @Sendable (inout Sum, LoggedDecisions, [ReplayedDecision]) throws -> Void
    ) throws -> (sum: Sum, lines: AssignmentTally, environmentWarnings: [LogEnvironmentWarning]) {
        typealias Folded = (sum: Sum, lines: AssignmentTally, environments: LogEnvironments)
        typealias Lines = (wanted: [(LoggedDecisions, [ReplayedDecision])], tally: AssignmentTally)
        let stream = try unsafe RecordStream(.jsonLines, read: read)
        let folded = try stream.fold(
            into: (sum: sum, lines: AssignmentTally(), environments: LogEnvironments()), threads: threads,
            by: {
                { part in
                    var tally = AssignmentTally()
                    var wanted: [(LoggedDecisions, [ReplayedDecision])] = []
                    part.forEachLogLine(&tally) { logged throws(PopulationVisitorError) in
                        if isWanted(logged) { wanted.append((logged, try decisions(of: logged, explains: true))) }
                    }
                    return (wanted, tally)
                }
            },
            adding: { (sum: inout Folded, lines: Lines) in
                for (logged, decisions) in lines.wanted {
                    var line = logged
                    line.number = logged.number.map { $0 + sum.lines.readCount }
                    try add(&sum.sum, line, decisions)
                    try countEnvironment(of: line, in: &sum.environments)
                }
                sum.lines.add(lines.tally)
            })
        return (folded.sum, folded.lines, warnings(of: folded.environments))
    }
}

extension DecisionReplay.Part {
    /// The differences with the numbers of their lines, if there are `count` lines before the part.
    fileprivate func numbered(after count: Int) -> JSONBytes {
        var result = JSONBytes(capacity: json.bytes.count + 20 * ends.count)
        var start = 0
        for (line, end) in ends {
            result.append("{\"line\":")
            result.append(json: String(count + line).utf8)
            result.append(",")
            result.append(json: json.bytes[(start + 1)..<end])
            start = end
        }
        return result
    }
}

extension JSONBytes {
    /// Appends JSON and a line break.
    fileprivate mutating func append(line json: String) {
        append(json: json.utf8)
        append("\n")
    }
}
