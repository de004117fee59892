extension PopulationAssignment {
    /// Assigns a stream of visitors on several threads, and writes a line for each record in their order: the result of
    /// ``line(for:)``, or a line with an `error`. The memory used does not grow with the stream. If the layout has a
    /// header, it is written first, even if there are no records.
    ///
    /// - Parameters:
    ///   - format: the format of the stream.
    ///   - threads: the number of threads.
    ///   - read: writes to the buffer and returns the number of bytes; 0 at the end of the stream. It must not write
    ///     beyond the buffer's length, or after it returns. If it returns `nil`, reading stops, and an unfinished
    ///     record is dropped. It is called by one thread at a time.
    ///   - write: receives whole lines, which are valid only during the call. It is called by one thread at a time.
    ///   - didWrite: receives the current tally after each call of `write`.
    /// - Returns: the tally of the whole stream.
    /// - Throws: the errors of `read` and `write`; ``PopulationVisitorError`` if the columns of a CSV file are not
    ///   valid.
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
