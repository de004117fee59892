import ConvertMonitoring
import ConvertTransport
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct ConfigRequestTests {
    private func url(
        key: String = "10/20", secret: String? = nil, _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> String {
        var configuration = SDKConfiguration()
        change(&configuration)
        return try ConfigEndpoint(sdkKey: key, secret: secret, configuration: configuration).request().url
            .absoluteString
    }

    private let base = "https://cdn-4.convertexperiments.com/api/v1/config/10/20"

    @Test func theQueryIsTheReferences() throws {
        #expect(try url() == base + "?environment=staging")
        #expect(try url { $0.environment = "" } == base)
        #expect(try url { $0.environment = "a b&c" } == base + "?environment=a%20b%26c")
        #expect(try url { $0.cacheLevel = .low } == base + "?environment=staging&_conv_low_cache=1")
        #expect(
            try url { $0.debugToken = "t/1" } == base + "?environment=staging&_conv_low_cache=1&debug_token=t%2F1")
        #expect(
            try url(key: "k") { $0.configEndpoint = "http://127.0.0.1:8080" }
                == "http://127.0.0.1:8080/config/k?environment=staging")
    }

    @Test func aPreviewIsAskedForAsTheReferenceDoes() throws {
        var configuration = SDKConfiguration()
        func preview() throws -> String {
            try ConfigEndpoint(sdkKey: "10/20", secret: nil, configuration: configuration).request(previewing: "9 1")
                .url
                .absoluteString
        }
        #expect(try preview() == base + "?environment=staging&exp=9%201&_conv_low_cache=1")
        configuration.debugToken = "t"
        #expect(try preview() == base + "?environment=staging&exp=9%201&_conv_low_cache=1&debug_token=t")
    }

    @Test(arguments: ["http://127.0.0.1/", "http://localhost:80/", "https://example.com/", "HTTPS://example.com/"])
    func secretsTravelOverTLSOrNotAtAll(endpoint: String) throws {
        #expect(try url { $0.configEndpoint = endpoint }.isEmpty == false)
    }

    @Test(arguments: ["http://example.com/", "HTTP://10.0.0.1/", "http://127.0.0.1.example.com/"])
    func plainHTTPHasToBeAllowed(endpoint: String) throws {
        let error = #expect(throws: ConvertError.self) { try url { $0.configEndpoint = endpoint } }
        #expect(error?.code == .invalidConfiguration)
        #expect(
            try url {
                $0.configEndpoint = endpoint
                $0.allowsPlainHTTP = true
            }.isEmpty == false)
    }

    @Test func eventsDoNotTravelOverPlainHTTP() async throws {
        let transport = ScriptedTransport(status: 200)
        let logger = RecordingLogger()
        let sdk = try Fixture.sdk(transport: transport) {
            $0.trackEndpoint = "http://example.com/"
            $0.logger = logger
        }
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await sdk.flush().queued == 1)
        #expect(transport.requests.isEmpty && logger.warnings.contains { $0.contains("plain http") })
    }

    @Test func theSecretIsABearerOfThisRequestAlone() throws {
        let configuration = SDKConfiguration()
        let secret = try ConfigEndpoint(sdkKey: "k", secret: "s", configuration: configuration).request()
        #expect(
            secret.headers == [
                "Authorization": "Bearer s", "Content-Type": "application/json", "User-Agent": "ConvertAgent/1.0",
            ])
        let open = try ConfigEndpoint(sdkKey: "k", secret: nil, configuration: configuration).request()
        #expect(open.headers["Authorization"] == nil)
    }

    @Test(arguments: ["k", "10/20", "10/20/30", "10/20=abc", "aB3-_.~+=/x..y", "10/20.v2"])
    func aKeyStandsInTheURLAsItIs(key: String) throws {
        #expect(
            try url(key: key) { $0.environment = "" } == "https://cdn-4.convertexperiments.com/api/v1/config/" + key)
    }

    static let unusableKeys = [
        "", "..", "../../..", "10/../20", "10/.", "./10", "...", "%2e%2e/10", "10%2F20", "/10/20", "10/20/", "10//20",
        "/",
        "10/20?a", "10/20#a", "10\\20", "10 20", "10/20\n", "10/20\r\nX: y", "\0", "10/\u{7f}", "10/20:80", "x@10/20",
        "10;20",
        "é/20", "10/２０", "10/20\u{301}",
    ]

    @Test(arguments: unusableKeys) func aKeyThatCouldLeadElsewhereIsRefusedAndNothingIsSent(key: String) async {
        let transport = ScriptedTransport(status: 200)
        let sdk = Fixture.fetchingSDK(key: key, secret: "hidden", transport: transport)
        let error = await #expect(throws: ConvertError.self) { try await sdk.ready() }
        #expect(error?.code == .invalidConfiguration && error?.message.contains("SDK key") == true)
        let refreshError = await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        #expect(refreshError?.code == .invalidConfiguration)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [("", "https://a/"), ("k", "ftp://a/"), ("k", "no url"), ("k", ""), ("k", "https:///")])
    func aFailedFetchIsReported(key: String, endpoint: String) {
        let error = #expect(throws: ConvertError.self) {
            try url(key: key) { $0.configEndpoint = endpoint }
        }
        #expect(error?.code == .invalidConfiguration)
    }
}
