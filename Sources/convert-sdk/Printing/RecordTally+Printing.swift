import ConvertAnalysis

extension RecordTally {
    /// Prints to standard error how many visitors have ignored stored decisions, if any do.
    func complainOfIgnoredStored() {
        guard let firstIgnoredStored else { return }
        Console.complain(
            "warning: stored decisions of \(ignoredStoredCount) visitors are ignored; the first: \(firstIgnoredStored)"
        )
    }
}
