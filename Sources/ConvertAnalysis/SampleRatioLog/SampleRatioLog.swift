internal import ConvertConcurrency
internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Tests the variations in a decision log against what each line's own config allocates, so that allocations may have
/// changed while the log was written.
///
///     let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) })
///
/// Each visitor counts once for an experience: where the line says that the variation was dealt and not stored, or, in a log
/// without reasons, where nothing was stored before. The probability holds however often one looks at a growing log.
public struct SampleRatioLog: Sendable {
    /// How a log is read.
    public struct Options: Sendable {
        /// The keys or ids of the experiences to test; empty means all.
        public var experiences: [String] = []
        /// The attribute by whose values visitors are counted apart; `nil` means none.
        public var attribute: String?
        /// The smallest difference of a share that matters, from 0 to 1; `nil` means that every one does.
        public var minDifference: Double?

        /// The defaults.
        public init() {}
    }

    private let candidates: [DecisionReplay.Candidate]
    private let options: Options
    private let allocations: LogAllocations

    /// A test on the configs of a log. Each line is tested against the one whose digest it names. A single config is taken for
    /// lines that name none, too.
    public init(_ candidates: [DecisionReplay.Candidate], options: Options = Options()) {
        self.candidates = candidates
        self.options = options
        allocations = LogAllocations(candidates.map(\.config))
    }

    /// Reads a log on several threads.
    ///
    /// Memory grows with the number of visitors up to a bound, beyond which later visitors are not recognized any more; the
    /// report says so.
    ///
    /// - Parameters:
    ///   - threads: how many threads work.
    ///   - read: fills a buffer and returns how many bytes it has; 0 at the end, `nil` to stop.
    ///   - didRead: is called with the number of lines so far.
    /// - Throws: what `read` throws.
    public func run(
        threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        didRead: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> SampleRatioLogReport {
        let stream = try RecordStream(.jsonLines, read: read)
        let sum = Mutex(LogRatioTally(allocations.arms, candidates.map { $0.digest ?? "" }, options))
        let pipeline = OrderedPipeline<RecordReader.Part, LogRatioPart>(
            from: { try stream.next() },
            by: {
                var reader = PlainLogReader(attribute: options.attribute)
                return { part(of: $0, &reader) }
            },
            to: { part in
                let count = sum.withLock { sum in
                    sum.add(part)
                    return sum.lines.recordCount
                }
                didRead(count)
            })
        try pipeline.run(threads: threads)
        return sum.withLock { $0.report }
    }

    private func part(of records: RecordReader.Part, _ reader: inout PlainLogReader) -> LogRatioPart {
        var part = LogRatioPart()
        let attribute = options.attribute.map { PropertyKey($0) }
        records.forEach(.jsonLines) { record in
            do {
                guard let record else { throw PopulationVisitorError.tooLong }
                if reader.read(record.assumingMemoryBound(to: UInt8.self), into: &part) {
                    part.tally.recordCount += 1
                    return
                }
                let line = try LoggedDecisions(json: record.assumingMemoryBound(to: UInt8.self))
                let index = try candidate(for: line)
                part.tally.recordCount += 1
                if line.hasNoVisitorID {
                    part.undecidableCount += 1
                } else {
                    let table = allocations.table(of: index, line.compilation)
                    part.append(line, index, table, attribute)
                    reader.learn(line, index, table)
                }
            } catch let error as PopulationVisitorError {
                part.tally.add(error)
            } catch {}
        }
        return part
    }

    private func candidate(for line: LoggedDecisions) throws(PopulationVisitorError) -> Int {
        guard let digest = line.configDigest else {
            if candidates.count == 1 { return 0 }
            throw .unknownConfig("the line names no config; give one config only.")
        }
        if let index = candidates.firstIndex(where: { $0.digest == digest }) { return index }
        // What another config allocated is not known, even if only one is given.
        throw .unknownConfig("no config with the digest '\(digest.excerpt().onOneLine)' is given.")
    }
}

extension PopulationVisitorError {
    fileprivate static func unknownConfig(_ message: String) -> PopulationVisitorError {
        PopulationVisitorError(code: .unknownConfig, path: "$.config", message: message)
    }
}
