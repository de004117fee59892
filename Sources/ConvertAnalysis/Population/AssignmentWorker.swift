internal import ConvertECMAScript

/// The written lines of a part of a stream.
struct AssignedPart: Sendable {
    let lines: [UInt8]
    let tally: RecordTally
}

/// Turns records into lines, on one thread.
struct AssignmentWorker {
    private let assignment: PopulationAssignment
    private var reader: VisitorReader
    private var lines = AssignmentLines()

    init(_ assignment: PopulationAssignment, _ syntax: RecordSyntax) {
        self.assignment = assignment
        reader = VisitorReader(syntax)
    }

    /// Returns the lines for a part's records.
    mutating func assign(_ part: RecordReader.Part) -> AssignedPart {
        var tally = RecordTally()
        let assignment = assignment
        // Moved out of `self`, because the loop also changes the reader.
        var lines = AssignmentLines()
        swap(&lines, &self.lines)
        defer { swap(&lines, &self.lines) }
        lines.json.removeAll()
        reader.forEachVisitor(of: part) { record in
            if case .failure(let error) = record { assignment.append(error, to: &lines) }
            tally.add(record, assignment.storedNames) { assignment.append($0, to: &lines) }
        }
        return AssignedPart(lines: lines.json.bytes, tally: tally)
    }
}
