internal import ConvertECMAScript

/// The regular expressions of a config, each distinct pattern compiled once.
struct PatternTable: Sendable {
    private(set) var compiled: [RegExp] = []
    private var known: [PropertyKey: Result<Int, RegExpSyntaxError>] = [:]

    /// The index of the compiled `pattern`, which ignores case as the reference does, or what is wrong with it.
    mutating func compile(_ pattern: String) -> Result<Int, RegExpSyntaxError> {
        let key = PropertyKey(pattern)
        if let result = known[key] { return result }
        let result: Result<Int, RegExpSyntaxError>
        do {
            compiled.append(try RegExp(pattern, flags: "i"))
            result = .success(compiled.count - 1)
        } catch {
            result = .failure(error)
        }
        known[key] = result
        return result
    }
}
