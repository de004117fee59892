/// The linear program of a pattern for later calls, or the knowledge that there is none.
final class KeptLinearProgram: Sendable {
    /// `nil` if the pattern's counts, written out, come to too much.
    let program: LinearProgram?
    /// Whether the account has room for it.
    let hasRoom: Bool
    private let bytes: Int
    private let account: CacheAccount

    /// Counts `program` in `account` for as long as this object lives.
    init(_ program: LinearProgram?, account: CacheAccount) {
        self.program = program
        self.account = account
        bytes = program?.footprint ?? 0
        hasRoom = account.addLasting(bytes) || program == nil
    }

    deinit { _ = account.addLasting(-bytes) }
}
