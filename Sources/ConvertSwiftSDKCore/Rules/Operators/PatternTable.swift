internal import ConvertConcurrency
package import ConvertECMAScript

/// The regular expressions of a config. Each distinct pattern is compiled once.
struct PatternTable: Sendable {
    /// Why a pattern could not be compiled.
    enum Failure: Error, CustomStringConvertible {
        case syntax(RegExpSyntaxError)
        /// The patterns compiled earlier take all of the memory limit.
        case outOfMemory

        /// Whether the pattern is invalid, regardless of the memory limit.
        var isSyntax: Bool {
            if case .syntax = self { true } else { false }
        }

        var description: String {
            switch self {
            case .syntax(let error): "\(error)"
            case .outOfMemory: "the patterns of the config take more than \(ConfigLimits.patternMemory) bytes"
            }
        }
    }

    private(set) var compiled: [RegExp] = []
    private let pool: PatternPool
    private var known: [PropertyKey: Result<Int, Failure>] = [:]
    /// How many more bytes compiled patterns may take.
    private var room: Int

    /// The bytes that each byte of an invalid pattern takes from the limit.
    private static let costPerByte = 8

    init(room: Int = ConfigLimits.patternMemory, pool: PatternPool = PatternPool()) {
        self.room = room
        self.pool = pool
    }

    /// Compiles `pattern`, ignoring case as the reference does. Returns its index in ``compiled``, or why it could not
    /// be compiled.
    mutating func compile(_ pattern: PropertyKey) -> Result<Int, Failure> {
        if let result = known[pattern] { return result }
        // Compiling takes time too, so after the first pattern beyond the limit no further pattern is compiled.
        if room < 0 { return .failure(.outOfMemory) }
        let result: Result<Int, Failure>
        switch pool.expression(of: pattern) {
        case .success(let expression):
            room -= expression.footprint
            result = room < 0 ? .failure(.outOfMemory) : .success(compiled.count)
            if room >= 0 { compiled.append(expression) }
        case .failure(let error):
            // An invalid pattern takes no memory, but compiling it took time.
            room -= Self.costPerByte * pattern.name.utf8.count
            result = .failure(.syntax(error))
        }
        known[pattern] = result
        return result
    }
}

/// Compiled patterns that several programs share, such as those of two versions of a config.
package final class PatternPool: Sendable {
    private let known = Mutex<[PropertyKey: Result<RegExp, RegExpSyntaxError>]>([:])
    /// Counts the memory that the patterns cache between calls.
    private let caches = CacheAccount.share(of: ConfigLimits.patternCaches)

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
    package static func == (left: PatternPool, right: PatternPool) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
