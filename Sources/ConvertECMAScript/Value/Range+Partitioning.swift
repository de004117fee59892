extension Range<Int> {
    /// The first index for which `isBehind` holds, or the upper bound if it holds for none. Binary search: it must hold
    /// for all indices behind that one.
    @inlinable
    package func partitioningIndex(where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low &+ (high &- low) / 2
            if isBehind(middle) { high = middle } else { low = middle &+ 1 }
        }
        return low
    }
}
