import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import ConvertTestSupport
import Testing

/// What a server can reject before it reads a body.
struct HeadTests {
    private static let flag = "/ofrep/v1/evaluate/flags/rollout"

    private static func refusal(
        _ flags: Flags, _ method: String, _ path: String, _ headers: [(name: String, value: String)] = []
    ) -> Int? {
        flags.remote.refusal(ofHead: RemoteEvaluationRequest(method: method, path: path, headers: headers))?.status
    }

    @Test func aRequestThatNeedsItsBodyIsNotRejected() throws {
        let flags = try Flags()
        #expect(Self.refusal(flags, "POST", Self.flag) == nil)
        #expect(Self.refusal(flags, "POST", "/ofrep/v1/evaluate/flags", [("Content-Length", "262144")]) == nil)
        #expect(Self.refusal(flags, "POST", "/convert/v1/track/purchase") == nil)
        // A stream is opened by the response, so looking at the head leaves room for it.
        for _ in 0..<3 { #expect(Self.refusal(flags, "GET", "/ofrep/v1/changes") == nil) }
    }

    @Test func theResponseIsTheOneOfTheWholeRequest() async throws {
        let flags = try Flags()
        func check(_ method: String, _ path: String, _ field: (String, String)? = nil, is status: Int) async throws {
            let headers = field.map { [(name: $0.0, value: $0.1)] } ?? []
            #expect(Self.refusal(flags, method, path, headers) == status)
            let whole = try await flags.send(method, path, headers, Array(repeating: 0x20, count: 262_145))
            #expect(whole.status == status)
        }
        try await check("GET", Self.flag, is: 405)
        try await check("POST", "/", is: 404)
        try await check("POST", Self.flag + "%FF", is: 400)
        try await check("POST", "/convert/v1/track/%FF", is: 400)
        try await check("POST", Self.flag, ("Content-Type", "text/plain"), is: 415)
        try await check("POST", Self.flag, ("Content-Length", "262145"), is: 413)
        try await check("POST", Self.flag, ("Content-Length", "9223372036854775808"), is: 413)
        try await check("POST", Self.flag, ("X-Long", String(repeating: "v", count: 16_384)), is: 431)
        try await check("POST", "/" + String(repeating: "a", count: 4_096), is: 414)
    }

    @Test func keyPermissionsAndRateAreChecked() async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.accessKeys = ["server", "tablet", "phone"].map { RemoteEvaluationKey($0, permissions: .flag) }
        configuration.rateLimit = .init(requestsPerSecond: 1, burst: 1)
        let sdk = ConvertSDK(testing: try TestProject(json: Flags.config))
        let remote = RemoteEvaluation(sdk: sdk, configuration: configuration, time: StepClock())
        func refusal(_ path: String, _ key: String, length: String = "0") -> Int? {
            let request = RemoteEvaluationRequest(
                method: "POST", path: path, headers: [("X-API-Key", key), ("Content-Length", length)])
            return remote.refusal(ofHead: request)?.status
        }
        // A rejected request counts at once.
        #expect(refusal("/ofrep/v1/evaluate/flags", "tablet") == 403)
        #expect(refusal("/ofrep/v1/evaluate/flags", "tablet") == 429)
        #expect(refusal(Self.flag, "phone", length: "262145") == 413)
        #expect(refusal(Self.flag, "phone", length: "262145") == 429)
        #expect(refusal(Self.flag, "other") == 401)
        // A request that is not rejected counts when it is responded to.
        for _ in 0..<3 { #expect(refusal(Self.flag, "server") == nil) }
        let request = RemoteEvaluationRequest(
            method: "POST", path: Self.flag, headers: [("X-API-Key", "server")],
            body: Array(#"{"context":{"targetingKey":"v"}}"#.utf8))
        #expect(remote.respondWithoutLoading(to: request).status == 200)
        #expect(refusal(Self.flag, "server") == 429)
    }
}
