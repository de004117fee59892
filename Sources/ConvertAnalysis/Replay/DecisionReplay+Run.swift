internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

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
        tally.warn(of: options.environment == nil ? candidates : [])
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
            if let environment = logged.environment {
                part.tally.add(environment: environment, config: try index(of: logged))
            }
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

    /// The index of the config that decides a line again.
    private func index(of logged: LoggedDecisions) throws(PopulationVisitorError) -> Int {
        try candidates.index(named: logged.configDigest, orOnly: true)
    }

    /// Whether `logged` is of the visitor whom the options name, if they name one: by the pseudonym, if it has one.
    private func isWanted(_ logged: LoggedDecisions) -> Bool {
        options.visitorID.map { $0.hasSameCodeUnits(as: logged.visitor.visitorID) } ?? true
    }

    /// Passes each line of a log to `add`, in order, with its decisions made again and explained: for the visitor whom
    /// the options name, or for all. What is no line is counted only.
    package func fold<Sum: Sendable>(
        into sum: Sum, threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        adding add: @escaping @Sendable (inout Sum, LoggedDecisions, [ReplayedDecision]) throws -> Void
    ) throws -> (sum: Sum, lines: RecordTally) {
        typealias Lines = (wanted: [(LoggedDecisions, [ReplayedDecision])], tally: RecordTally)
        let stream = try unsafe RecordStream(.jsonLines, read: read)
        return try stream.fold(
            into: (sum: sum, lines: RecordTally()), threads: threads,
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
            adding: { (sum: inout (sum: Sum, lines: RecordTally), lines: Lines) in
                for (logged, decisions) in lines.wanted {
                    var line = logged
                    line.number = logged.number.map { $0 + sum.lines.readCount }
                    try add(&sum.sum, line, decisions)
                }
                sum.lines.add(lines.tally)
            })
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
