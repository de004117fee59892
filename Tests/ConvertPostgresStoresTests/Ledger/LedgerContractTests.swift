#if Postgres
import ConvertTesting
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct LedgerContractTests {
    @Test(arguments: LedgerContract.allCases) func keepsThePromisesOfAllLedgers(clause: LedgerContract) async throws {
        let schema = try TestSchema()
        try await clause.check { try schema.ledger() }
    }

    @Test(arguments: LedgerContract.allCases) func keepsThemWithOneConnection(clause: LedgerContract) async throws {
        let schema = try TestSchema()
        try await clause.check { try schema.ledger(connections: 1) }
    }
}
#endif
