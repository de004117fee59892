import ConvertTestServer
import ConvertTestSupport
import Testing

/// What an SDK does to the end of its process while its first request begins: then libcurl is loaded and initialized,
/// and OpenSSL with it. `Tests/Ends/run` does the same with more processes and over TLS.
@Suite(.timeLimit(.minutes(20)), .serialized)
struct ProcessEndTests {
    /// Five processes each; twenty-five with CONVERT_CASES=2.
    @Test(arguments: ["exit", "thread", "return", "shutdown", "quick", "fork"], ["http", "https"])
    func aProcessEndsInOrderWhileItsFirstRequestBegins(manner: String, scheme: String) async throws {
        let server = try TestServer(.stall)
        defer { server.stop() }
        for microseconds in stride(from: 0, to: 50_000, by: inputSize(2_000, plain: 10_000)) {
            let (status, _) = try await BuiltProduct.run(
                "ConvertEndProbe", [manner, "\(microseconds)", "\(scheme)://127.0.0.1:\(server.port)"])
            #expect(status == .some(0), "\(microseconds) µs after the SDK was made")
        }
    }
}
