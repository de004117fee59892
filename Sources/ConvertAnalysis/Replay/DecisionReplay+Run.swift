internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The results of replaying a log.
public struct ReplayTally: Sendable, Equatable {
    /// The results of reading the lines.
    public internal(set) var lines = AssignmentTally()
    /// The number of repeated decisions.
    public internal(set) var decisionCount = 0
    /// The number of repeated decisions that differ from the log.
    public internal(set) var differenceCount = 0
    /// The number of differing decisions in lines that withhold data that may have decided them.
    public internal(set) var withheldCount = 0
    /// The number of decisions that cannot be repeated, because their lines contain no visitor's id.
    public internal(set) var undecidableCount = 0
    /// The number of lines that were decided with another config than the one they name.
    public internal(set) var otherConfigCount = 0
    /// The numbers of differing decisions by their change, for lines that withhold nothing relevant. Contains the first
    /// 10,000 changes, as long as their texts take at most 16 MB.
    public internal(set) var routes: [ReplayRoute: Int] = [:]
    /// The length of all texts in ``routes``, in bytes.
    private var routeLength = 0
    /// The number of differing decisions whose change is not in ``routes``.
    public internal(set) var otherRouteCount = 0
    /// The numbers of decisions that cannot be determined, because lines withhold data that may have decided them.
    /// Contains the first 10,000 experiences and features.
    public internal(set) var unknowable: [DecisionReplay.Subject: Int] = [:]

    /// The numbers of lines that withhold a property which no rule reads, by the property's name. Contains the first 20
    /// names.
    public internal(set) var unreadNames: [String: Int] = [:]

    fileprivate var environments = LogEnvironments()

    /// What is odd about the environments that lines are decided in again.
    public internal(set) var environmentWarnings: [LogEnvironmentWarning] = []

    /// The number of differing decisions in lines with all data that decided them.
    public var knownDifferenceCount: Int { differenceCount - withheldCount }

    /// The maximum number of routes. A feature's values, which may differ for each visitor, are part of a route.
    static let routeLimit = 10_000
    /// The maximum length of all texts in ``routes``, in bytes.
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

    /// The maximum number of names in ``unreadNames``.
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
    /// A repeated part of a log.
    fileprivate struct Part: Sendable {
        /// The differences without line numbers, which are known only after reading the earlier parts.
        var json = JSONBytes(capacity: 0)
        /// For each difference, the line's number from 1 and the difference's end in ``json``.
        var ends: [(line: Int, end: Int)] = []
        var tally = ReplayTally()
    }

    /// Repeats the decisions of a log on several threads, and writes a line for each difference in the order of the
    /// log. The memory used does not grow with the log. Invalid lines are only counted.
    ///
    /// The parameters are those of ``PopulationAssignment/run(_:threads:read:write:didWrite:)``.
    public func run(
        threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
        didWrite: @escaping @Sendable (ReplayTally) -> Void = { _ in }
    ) throws -> ReplayTally {
        // Safe: `read` and `write` receive buffers that live during the calls.
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

    /// Whether `logged` belongs to the visitor in the options, or the options name no visitor. If the line has a
    /// pseudonym, that is compared.
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
    /// The differences with line numbers, if `count` lines come before the part.
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
    /// Appends JSON and a line end.
    fileprivate mutating func append(line json: String) {
        append(json: json.utf8)
        append("\n")
    }
}
