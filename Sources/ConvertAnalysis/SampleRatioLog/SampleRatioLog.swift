internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Tests the variations in a decision log against the allocation of each line's own config. Allocations may have
/// changed while the log was written.
///
///     let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) })
///
/// Each visitor counts once for an experience: when the line says that the variation was newly assigned rather than
/// stored or, in a log without reasons, when no variation was stored before. The probability holds however often a
/// growing log is tested.
public struct SampleRatioLog: Sendable {
    /// The options for reading a log.
    public struct Options: Sendable {
        /// The keys or ids of the experiences to test; empty stands for all.
        public var experiences: [String] = []
        /// The attribute whose values separate visitors into segments, or the path of one of its members, such as
        /// `address.country`. The prefix `locationProperties.` selects a location property. `nil` stands for no
        /// segments.
        public var attribute: String?
        /// The smallest relevant difference of a share, from 0 to 1; `nil` if every difference is relevant.
        public var minDifference: Double?
        /// The maximum number of visitors in memory for each kind of count; `nil` for the usual one.
        var mostVisitors: Int?

        /// Creates the default options.
        public init() {}
    }

    private let candidates: [DecisionReplay.Candidate]
    private let options: Options
    private let allocations: LogAllocations

    /// Creates a test with the configs of a log. Each line is tested against the config whose revision it names. If
    /// there is only one config, lines without a revision are tested against it, too.
    public init(_ candidates: [DecisionReplay.Candidate], options: Options = Options()) {
        self.candidates = candidates
        self.options = options
        allocations = LogAllocations(candidates.map(\.config))
    }

    /// Reads a log on several threads.
    ///
    /// The memory used grows with the number of visitors up to a limit. Further visitors are not recognized when they
    /// return, which the report mentions.
    ///
    /// - Parameters:
    ///   - threads: the number of threads.
    ///   - read: fills a buffer and returns the number of bytes; 0 at the end, `nil` to stop.
    ///   - didRead: receives the current number of lines.
    /// - Throws: the errors of `read`.
    public func run(
        threads: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        didRead: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> SampleRatioLogReport {
        // Safe: the stream passes `read` a buffer that it owns, only during the call.
        let stream = try unsafe RecordStream(.jsonLines, read: read)
        let empty = LogRatioTally(allocations, candidates.map { $0.revision ?? "" }, options)
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
            // The allocation of an unavailable config is unknown, even if only one config is available.
            guard let index = try? candidates.index(named: line.configRevision, orOnly: false) else {
                part.unknownConfigs[line.configRevision, default: 0] += 1
                return
            }
            // A visitor always has the same pseudonym, so it identifies the visitor as well as the id.
            let table = allocations.table(of: index, for: line)
            part.append(line, index, table, options.attribute)
            reader.learn(line, index, table)
        }
        part.tally = tally
        return part
    }
}
