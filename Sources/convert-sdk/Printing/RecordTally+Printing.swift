import ConvertAnalysis

extension RecordTally {
    /// Complains of visitors whose stored decisions are ignored, if there are some.
    func complainOfIgnoredStored() {
        guard let firstIgnoredStored else { return }
        Console.complain(
            "warning: stored decisions of \(ignoredStoredCount) visitors are ignored; the first: \(firstIgnoredStored)"
        )
    }
}
