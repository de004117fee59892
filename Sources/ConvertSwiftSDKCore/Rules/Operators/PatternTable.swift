internal import ConvertECMAScript

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

        /// The reason, in a few words.
        var description: String {
            switch self {
            case .syntax(let error): "\(error)"
            case .outOfMemory: "the patterns of the config take more than \(ConfigLimits.patternMemory) bytes"
            }
        }
    }

    private(set) var compiled: [RegExp] = []
    /// Counts the memory that patterns cache between calls.
    private let caches = CacheAccount.share(of: ConfigLimits.patternCaches)
    /// The patterns of other programs too; `nil` if they share none.
    private let pool: PatternPool?
    private var known: [PropertyKey: Result<Int, Failure>] = [:]
    /// How many more bytes compiled patterns may take.
    private var room: Int

    /// The bytes that each byte of an invalid pattern takes from the limit.
    private static let costPerByte = 8

    init(room: Int = ConfigLimits.patternMemory, pool: PatternPool? = nil) {
        self.room = room
        self.pool = pool
    }

    /// Compiles `pattern`, ignoring case as the reference does. Returns its index in ``compiled``, or why it could not
    /// be compiled.
    mutating func compile(_ pattern: PropertyKey) -> Result<Int, Failure> {
        if let result = known[pattern] { return result }
        // Compiling takes time too, so after the first pattern beyond the limit no further pattern is compiled.
        if room < 0 { return .failure(.outOfMemory) }
        let result = compileNew(pattern)
        known[pattern] = result
        return result
    }

    private mutating func compileNew(_ pattern: PropertyKey) -> Result<Int, Failure> {
        do throws(RegExpSyntaxError) {
            let expression: RegExp
            if let pool {
                expression = try pool.expression(of: pattern).get()
            } else {
                expression = try RegExp(codeUnits: pattern.codeUnits, flags: "i", account: caches)
            }
            room -= expression.footprint
            if room < 0 { return .failure(.outOfMemory) }
            compiled.append(expression)
            return .success(compiled.count - 1)
        } catch {
            // An invalid pattern takes no memory, but compiling it took time.
            room -= Self.costPerByte * pattern.name.utf8.count
            return .failure(.syntax(error))
        }
    }
}
