extension RecordTally {
    /// Counts a record of a stream: the next visitor, who is passed to `body`, or none.
    mutating func add(_ record: VisitorReader.Record, _ names: StoredNames, _ body: (PopulationVisitor) -> Void) {
        switch record {
        case .blank: blankCount += 1
        case .failure(let error): add(error)
        case .visitor(let visitor):
            recordCount += 1
            if let warning = names.warnings(ofKeysIn: visitor.stored).first {
                ignoredStoredCount += 1
                firstIgnoredStored = firstIgnoredStored ?? warning
            }
            body(visitor)
        }
    }
}
