internal import ConvertConcurrency
internal import ConvertECMAScript

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

    mutating func add(_ next: ReplayTally) {
        lines.add(next.lines)
        decisionCount += next.decisionCount
        differenceCount += next.differenceCount
        withheldCount += next.withheldCount
        undecidableCount += next.undecidableCount
        otherConfigCount += next.otherConfigCount
    }
}

extension ReplayTally {
    fileprivate mutating func add(_ outcome: DecisionReplay.Outcome) {
        decisionCount += outcome.decisionCount
        differenceCount += outcome.differences.count
        withheldCount += outcome.differences.count { !$0.withheld.isEmpty }
        undecidableCount += outcome.undecidableCount
        if outcome.usesOtherConfig { otherConfigCount += 1 }
    }
}

extension DecisionReplay {
    /// A part of a log, decided again.
    private struct Part: Sendable {
        var json = JSONBytes(capacity: 0)
        var tally = ReplayTally()
    }

    /// Decides a log again on several threads and writes a line for each difference, in the order of the log. Memory does not
    /// grow with it. Lines that are none of a log are counted and written nowhere.
    ///
    /// The parameters are those of ``PopulationAssignment/run(_:threads:read:write:didWrite:)``.
    public func run(
        threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
        didWrite: @escaping @Sendable (ReplayTally) -> Void = { _ in }
    ) throws -> ReplayTally {
        let stream = try RecordStream(.jsonLines, read: read)
        let sum = Mutex(ReplayTally())
        let pipeline = OrderedPipeline<RecordReader.Part, Part>(
            from: { try stream.next() }, by: { { replay($0) } },
            to: { part in
                if !part.json.bytes.isEmpty { try part.json.bytes.withUnsafeBytes { try write($0) } }
                let tally = sum.withLock { sum in
                    sum.add(part.tally)
                    return sum
                }
                didWrite(tally)
            })
        try pipeline.run(threads: threads)
        return sum.withLock { $0 }
    }

    private func replay(_ records: RecordReader.Part) -> Part {
        var part = Part()
        records.forEach(.jsonLines) { record in
            do {
                guard let record else { throw PopulationVisitorError.tooLong }
                let logged = try LoggedDecisions(json: record.assumingMemoryBound(to: UInt8.self))
                let outcome = try outcome(of: logged)
                part.tally.lines.recordCount += 1
                part.tally.add(outcome)
                for difference in outcome.differences { part.json.append(line: difference.json) }
            } catch let error as PopulationVisitorError {
                part.tally.lines.add(error)
            } catch {}
        }
        return part
    }
}

extension JSONBytes {
    /// Appends JSON and a line break.
    fileprivate mutating func append(line json: String) {
        var json = json + "\n"
        json.withUTF8 { append(json: $0) }
    }
}
