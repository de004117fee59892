import ConvertConcurrency
package import ConvertECMAScript

/// Compiled patterns that several programs share, such as those of two versions of a config.
package final class PatternPool: Sendable {
    private let known = Mutex<[PropertyKey: Result<RegExp, RegExpSyntaxError>]>([:])
    /// Counts the memory that the patterns cache between calls.
    private let caches = CacheAccount.share(of: ConfigLimits.patternCaches)

    /// Creates a pool without patterns.
    package init() {}

    /// The expression of `pattern`, which ignores case as the reference does.
    package func expression(of pattern: PropertyKey) -> Result<RegExp, RegExpSyntaxError> {
        if let result = known.withLock({ $0[pattern] }) { return result }
        let result = Result { () throws(RegExpSyntaxError) in
            try RegExp(codeUnits: pattern.codeUnits, flags: "i", account: caches)
        }
        known.withLock { $0[pattern] = result }
        return result
    }
}

extension PatternPool: Hashable {
    /// Pools are equal if they are the same object.
    package static func == (left: PatternPool, right: PatternPool) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
