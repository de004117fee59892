/// The linear program of a pattern for later calls, or the result that the pattern has no linear program.
final class KeptLinearProgram: Sendable {
    /// `nil` if writing out the pattern's counts takes too many instructions.
    let program: LinearProgram?
    /// Whether the account has capacity for the program.
    let hasRoom: Bool
    private let bytes: Int
    private let account: CacheAccount

    /// Counts `program` in `account` as long as this object lives.
    init(_ program: LinearProgram?, account: CacheAccount) {
        self.program = program
        self.account = account
        bytes = program?.footprint ?? 0
        hasRoom = account.addLasting(bytes) || program == nil
    }

    deinit { _ = account.addLasting(-bytes) }
}
