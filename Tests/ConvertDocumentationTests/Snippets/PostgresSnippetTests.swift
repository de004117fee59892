#if Postgres
import ConvertPostgresStores
import ConvertSwiftSDK
import Testing

/// The snippets of the article ConvertPostgresStores.
struct PostgresSnippetTests {
    @Test func aDatabaseThatIsNotThereKeepsNoServerFromStarting() throws {
        let connectionString = "host=127.0.0.1 port=1 dbname=shop"
        let database = try PostgresDatabase(connectionString)
        var configuration = SDKConfiguration()
        configuration.visitorStore = PostgresVisitorStore(database)
        configuration.journal = PostgresEventJournal(database)
        #expect(configuration.visitorStore is PostgresVisitorStore)
    }
}
#endif
