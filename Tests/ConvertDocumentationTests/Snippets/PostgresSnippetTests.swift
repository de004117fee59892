#if Postgres
import ConvertPostgresStores
import ConvertSwiftSDK
import Testing

/// The snippets of the article ConvertPostgresStores.
struct PostgresSnippetTests {
    @Test func aServerStartsWithoutItsDatabase() throws {
        let connectionString = "host=127.0.0.1 port=1 dbname=shop"
        var configuration = SDKConfiguration()
        configuration.ledger = try PostgresLedger(connectionString)
        #expect(configuration.ledger is PostgresLedger)
    }
}
#endif
