internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Tests the variations in a decision log against what each line's own config allocates, so that allocations may have
/// changed while the log was written.
///
///     let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) })
///
/// Each visitor counts once for an experience: where the line says that the variation was dealt and not stored, or, in
/// a log without reasons, where nothing was stored before. The probability holds however often one looks at a growing
/// log.
public struct SampleRatioLog: Sendable {
    /// How a log is read.
    public struct Options: Sendable {
        /// The keys or ids of the experiences to test; empty means all.
        public var experiences: [String] = []
        /// The attribute by whose values visitors are counted apart, or the path of a member of one, such as
        /// `address.country`; with `locationProperties.` in front a location property. `nil` means none.
        public var attribute: String?
        /// The smallest difference of a share that matters, from 0 to 1; `nil` means that every one does.
        public var minDifference: Double?

        /// The defaults.
        public init() {}
    }

    private let candidates: [DecisionReplay.Candidate]
    private let options: Options
    private let allocations: LogAllocations

    /// A test on the configs of a log. Each line is tested against the one whose digest it names. A single config is
    /// taken for lines that name none, too.
    public init(_ candidates: [DecisionReplay.Candidate], options: Options = Options()) {
        self.candidates = candidates
        self.options = options
        allocations = LogAllocations(candidates.map(\.config))
    }

    /// Reads a log on several threads.
    ///
    /// Memory grows with the number of visitors up to a bound, beyond which later visitors are not recognized any more;
    /// the report says so.
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
        let stream = try unsafe RecordStream(.jsonLines, read: read)
        let empty = LogRatioTally(allocations, candidates.map { $0.digest ?? "" }, options)
        return try stream.fold(
            into: empty, threads: threads,
            by: {
                var reader = PlainLogReader(attribute: options.attribute)
                return { part(of: $0, &reader) }
            },
            adding: { (tally: inout LogRatioTally, part: LogRatioPart) in
                tally.add(part)
                didRead(tally.lines.recordCount)
            }
        ).report(candidates)
    }

    private func part(of records: RecordReader.Part, _ reader: inout PlainLogReader) -> LogRatioPart {
        var part = LogRatioPart()
        var tally = RecordTally()
        records.forEachLogLine(&tally, unless: { reader.read($0, into: &part) }) {
            line throws(PopulationVisitorError) in
            // What another config allocated is not known, even if only one is given.
            guard let index = try? candidates.index(named: line.configDigest, orOnly: false) else {
                part.unknownConfigs[line.configDigest, default: 0] += 1
                return
            }
            // A visitor has one pseudonym, which tells visitors apart as well as the id.
            let table = allocations.table(of: index, for: line)
            part.append(line, index, table, options.attribute)
            reader.learn(line, index, table)
        }
        part.tally = tally
        return part
    }
}
