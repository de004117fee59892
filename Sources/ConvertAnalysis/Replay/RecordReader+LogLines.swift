import ConvertECMAScript

extension RecordReader.Part {
    /// Passes each line of a decision log to `body`, with its number within the part, and counts it. What is no line,
    /// and a line that `body` refuses, is an error. Blank lines are passed over.
    ///
    /// - Parameters:
    ///   - tally: counts the lines.
    ///   - isRead: takes a line that it reads itself, and returns whether it did.
    ///   - body: takes the others.
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
