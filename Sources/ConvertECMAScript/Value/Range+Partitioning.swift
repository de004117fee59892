extension Range<Int> {
    /// The first index for which `isBehind` is true, or the upper bound if there is no such index. Because of the
    /// binary search, `isBehind` must be true for all later indices too. The range must be of a table's indices, so
    /// that `&+` never overflows.
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
