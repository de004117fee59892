extension Array where Element: Comparable {
    /// Sorts the elements from index `start` on, and removes duplicates among them.
    mutating func sortAndMakeUnique(from start: Int) {
        // Insertion is fast for short lists, which are most, and for sorted ones.
        if count - start > 16 { self[start...].sort() }
        var kept = start
        for index in start..<count {
            let element = self[index]
            var place = kept
            while place > start, element < self[place - 1] { place -= 1 }
            if place > start, self[place - 1] == element { continue }
            var moved = kept
            while moved > place {
                self[moved] = self[moved - 1]
                moved -= 1
            }
            self[place] = element
            kept += 1
        }
        removeLast(count - kept)
    }
}
