internal import ConvertECMAScript

/// The regular expressions of a config, each distinct pattern compiled once.
struct PatternTable: Sendable {
    /// Why a pattern has no compiled form.
    enum Failure: Error, CustomStringConvertible {
        case syntax(RegExpSyntaxError)
        /// The patterns compiled before take all the memory that there is for them.
        case outOfMemory

        /// Whether the pattern is invalid, whatever room there is.
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
    /// Counts what the patterns keep between calls.
    private let caches = CacheAccount.share(of: ConfigLimits.patternCaches)
    private var known: [PropertyKey: Result<Int, Failure>] = [:]
    /// How many more bytes compiled patterns may take.
    private var room: Int

    /// What each byte of an invalid pattern takes of the room.
    private static let costPerByte = 8

    init(room: Int = ConfigLimits.patternMemory) { self.room = room }

    /// The index of the compiled `pattern`, which ignores case as the reference does, or why there is none.
    mutating func compile(_ pattern: PropertyKey) -> Result<Int, Failure> {
        if let result = known[pattern] { return result }
        // Compiling takes time too, so the first pattern that does not fit is the last one that is tried.
        if room < 0 { return .failure(.outOfMemory) }
        let result = compileNew(pattern)
        known[pattern] = result
        return result
    }

    private mutating func compileNew(_ pattern: PropertyKey) -> Result<Int, Failure> {
        let units = pattern.codeUnits
        do {
            let expression = try RegExp(codeUnits: units, flags: "i", account: caches)
            room -= expression.footprint
            if room < 0 { return .failure(.outOfMemory) }
            compiled.append(expression)
            return .success(compiled.count - 1)
        } catch {
            // It cost time, if not memory.
            room -= Self.costPerByte * pattern.name.utf8.count
            return .failure(.syntax(error))
        }
    }
}
