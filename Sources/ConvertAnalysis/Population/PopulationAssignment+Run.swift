extension PopulationAssignment {
    /// Assigns a stream of visitors on several threads and writes a line for each record, in their order, as
    /// ``line(for:)`` makes it or with an `error`. Memory does not grow with the stream. Where the layout has a header,
    /// it comes first, even if there is no record.
    ///
    /// - Parameters:
    ///   - format: how the stream holds visitors.
    ///   - threads: how many threads work.
    ///   - read: fills the buffer with up to as many bytes as it has, and returns how many; 0 at the end, `nil` if no
    ///     more are wanted, and then what was read of an unfinished record is dropped. Called by one thread at a time.
    ///   - write: takes whole lines. Called by one thread at a time.
    ///   - didWrite: called with the tally so far, after each call of `write`.
    /// - Returns: the tally of the whole stream.
    /// - Throws: what `read` and `write` throw; ``PopulationVisitorError`` if the columns of a CSV file cannot be read.
    public func run(
        _ format: PopulationFormat, threads: Int,
        read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
        didWrite: @escaping @Sendable (RecordTally) -> Void = { _ in }
    ) throws -> RecordTally {
        let stream = try unsafe RecordStream(format, read: read)
        if !header.isEmpty { try unsafe header.withUnsafeBytes(write) }
        return try stream.fold(
            into: RecordTally(), threads: threads,
            by: {
                var worker = AssignmentWorker(self, stream.syntax)
                return { worker.assign($0) }
            },
            adding: { (tally: inout RecordTally, part: AssignedPart) in
                try unsafe part.lines.withUnsafeBytes(write)
                tally.add(part.tally)
                didWrite(tally)
            })
    }
}
