internal import ConvertECMAScript

/// Caches the results that a function returns for a config's values. Values with equal contents share one result.
struct ConfigMemo<Made>: ~Copyable {
    private var values = JSONDistinctValues()
    /// The results, indexed by the value's number.
    private var made: [Made?] = []

    /// Returns the cached result for a value with the contents of `value`, or calls `make` and caches its result, even
    /// `nil`. Takes time linear to the size of `value`.
    mutating func made(of value: JSONCursor, by make: (JSONCursor) -> Made?) -> Made? {
        let number = values.number(of: value)
        if number == made.count { made.append(make(value)) }
        return made[number]
    }
}
