internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

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
        var lines = RecordTally()
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

    /// Counts the environment in which the replay decides a line.
    private func countEnvironment(
        of logged: LoggedDecisions, in environments: inout LogEnvironments
    ) throws(PopulationVisitorError) {
        let index = try candidates.index(named: logged.configRevision, orOnly: true)
        environment(of: logged).withUTF8Bytes { environments.add($0, config: index) }
    }

    /// Warnings about the lines' environments; empty if the options name an environment.
    private func warnings(of environments: LogEnvironments) -> [LogEnvironmentWarning] {
        options.environment == nil ? environments.warnings(candidates) : []
    }

    /// Whether `logged` belongs to the visitor in the options, or the options name no visitor. If the line has a
    /// pseudonym, that is compared.
    private func isWanted(_ logged: LoggedDecisions) -> Bool {
        options.visitorID.map { $0.hasSameCodeUnits(as: logged.visitor.visitorID) } ?? true
    }

    /// Decides and explains each line of a log again, and passes the lines to `add` in their order.
    ///
    /// These are the lines of the visitor in the options, or all lines. Invalid lines are only counted. The result also
    /// has warnings about the lines' environments.
    package func fold<Sum: Sendable>(
        into sum: Sum, threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        adding add: @escaping @Sendable (inout Sum, LoggedDecisions, [ReplayedDecision]) throws -> Void
    ) throws -> (sum: Sum, lines: RecordTally, environmentWarnings: [LogEnvironmentWarning]) {
        typealias Folded = (sum: Sum, lines: RecordTally, environments: LogEnvironments)
        typealias Lines = (wanted: [(LoggedDecisions, [ReplayedDecision])], tally: RecordTally)
        let stream = try unsafe RecordStream(.jsonLines, read: read)
        let folded = try stream.fold(
            into: (sum: sum, lines: RecordTally(), environments: LogEnvironments()), threads: threads,
            by: {
                { part in
                    var tally = RecordTally()
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
