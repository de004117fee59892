import ConvertECMAScript

extension RecordReader.Part {
    /// Passes each line of a decision log to `body`, with its number within the part, and counts it. Invalid lines, and
    /// lines for which `body` throws, count as errors. Blank lines are skipped.
    ///
    /// - Parameters:
    ///   - tally: the counts to update.
    ///   - isRead: reads a line directly, if it can, and returns whether it did.
    ///   - body: receives the other lines.
    func forEachLogLine(
        _ tally: inout RecordTally, unless isRead: (ByteText) -> Bool = { _ in false },
        _ body: (LoggedDecisions) throws(PopulationVisitorError) -> Void
    ) {
        forEach(.jsonLines) { record in
            do throws(PopulationVisitorError) {
                guard let record else { throw .tooLong }
                if !isRead(record) {
                    var line = try LoggedDecisions(json: record)
                    line.number = tally.readCount + 1
                    try body(line)
                }
                tally.recordCount += 1
            } catch {
                if record?.isBlank ?? false { tally.blankCount += 1 } else { tally.add(error) }
            }
        }
    }
}
