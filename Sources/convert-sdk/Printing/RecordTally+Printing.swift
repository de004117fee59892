import ConvertAnalysis

extension [RecordTally.RecordError] {
    /// Prints the errors to standard error, each with the number of its record, which is called `noun`.
    func complain(as noun: String) {
        for error in self { Console.complain("\(noun) \(error.record): \(error.error)") }
    }
}

extension RecordTally {
    /// Prints to standard error how many visitors have ignored stored decisions, if any do.
    func complainOfIgnoredStored() {
        guard let firstIgnoredStored else { return }
        Console.complain(
            "warning: stored decisions of \(ignoredStoredCount) visitors are ignored; the first: \(firstIgnoredStored)"
        )
    }
}
