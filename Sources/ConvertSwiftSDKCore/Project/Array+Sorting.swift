extension Array where Element: Comparable {
    /// Sorts the elements from `start` on and keeps each once.
    mutating func sortAndMakeUnique(from start: Int) {
        // Most lists are written in order.
        guard !(start..<endIndex).dropFirst().allSatisfy({ self[$0 - 1] < self[$0] }) else { return }
        self[start...].sort()
        var kept = start + 1
        for index in kept..<count where self[index] != self[kept - 1] {
            self[kept] = self[index]
            kept += 1
        }
        removeLast(count - kept)
    }
}
