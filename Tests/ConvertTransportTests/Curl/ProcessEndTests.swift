import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

/// What a transport does to the end of the process, which cleans up OpenSSL while the transport's thread may be using
/// it.
@Suite(.timeLimit(.minutes(20)), .serialized)
struct ProcessEndTests {
    private static let processes = inputSize(25, plain: 6)

    /// The server has no TLS, so a handshake begins and fails: enough for OpenSSL to be in use.
    @Test(arguments: ["released", "kept", "many"])
    func aProcessEndsInOrderAfterAnExchange(manner: String) async throws {
        let server = try TestServer(.garbage(Data("no TLS\r\n\r\n".utf8)))
        defer { server.stop() }
        for _ in 0..<Self.processes {
            let (status, output) = try await Self.run(manner, "https://127.0.0.1:\(server.port)/")
            #expect(status == .some(0))
            #expect(output.hasPrefix("insecureConnection\n"))
        }
    }

    @Test(arguments: ["https", "http"]) func aProcessEndsInOrderAmidAnExchange(scheme: String) async throws {
        let server = try TestServer(.stall)
        defer { server.stop() }
        for _ in 0..<Self.processes {
            let (status, _) = try await Self.run("amid", "\(scheme)://127.0.0.1:\(server.port)/")
            #expect(status == .some(0))
        }
    }

    @Test func requestsToThisMachineUseNoProxy() async throws {
        let server = try TestServer(.status(204))
        let proxy = try TestServer(.status(502))
        defer {
            server.stop()
            proxy.stop()
        }
        let environment = [
            "http_proxy": "http://127.0.0.1:\(proxy.port)", "all_proxy": "http://127.0.0.1:\(proxy.port)",
        ]
        let (_, output) = try await Self.run("released", server.url().absoluteString, environment)
        #expect(output == "204\n" && proxy.requests.isEmpty)
    }

    private static func run(
        _ manner: String, _ url: String, _ environment: [String: String] = [:]
    ) async throws -> (status: Int32?, output: String) {
        try await BuiltProduct.run("ConvertTransportProbe", [manner, url], environment: environment)
    }
}
