internal import ConvertECMAScript

/// What was made of values of one config, each once for all values that have the same contents.
struct ConfigMemo<Made>: ~Copyable {
    private var values = JSONDistinctValues()
    /// By the value's number.
    private var made: [Made?] = []

    /// What was made of a value like `value`, or else what `make` makes of it, which may be nothing. It takes time
    /// linear to what `value` holds.
    mutating func made(of value: JSONCursor, by make: (JSONCursor) -> Made?) -> Made? {
        let number = values.number(of: value)
        if number == made.count { made.append(make(value)) }
        return made[number]
    }
}
