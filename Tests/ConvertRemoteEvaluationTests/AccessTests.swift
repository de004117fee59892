import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import ConvertTestSupport
import Testing

struct AccessTests {
    private static func flags(_ keys: RemoteEvaluationKey...) throws -> Flags {
        var configuration = RemoteEvaluationConfiguration()
        configuration.accessKeys = keys
        return try Flags(configuration)
    }

    private static func status(_ flags: Flags, _ headers: (name: String, value: String)...) async throws -> Int {
        try await flags.post("/rollout", Flags.context("visitor-1"), headers: headers).status
    }

    @Test func aKeyIsPresentedAsBearerOrAsAPIKey() async throws {
        let flags = try Self.flags(RemoteEvaluationKey("first"), RemoteEvaluationKey("second"))
        for secret in ["first", "second"] {
            #expect(try await Self.status(flags, ("Authorization", "Bearer \(secret)")) == 200)
            #expect(try await Self.status(flags, ("authorization", "bearer  \(secret)")) == 200)
            #expect(try await Self.status(flags, ("X-API-Key", secret)) == 200)
            #expect(try await Self.status(flags, ("X-API-Key", " \(secret)\t ")) == 200)
        }
    }

    @Test(
        arguments: [
            [], [("X-API-Key", "")], [("X-API-Key", "firs")], [("X-API-Key", "firstfirst")], [("X-API-Key", "First")],
            [("Authorization", "first")], [("Authorization", "Basic first")], [("Authorization", "Bearer")],
            [("Authorization", "Bearer first second")], [("Authorization", "Bearer "), ("X-API-Key", "firs")],
            [("X-API-Key", "first"), ("X-API-Key", "first")],
            [("X-API-Key", "first"), ("Authorization", "Bearer other")],
        ] as [[(String, String)]])
    func everythingElseIsUnauthorized(headers: [(String, String)]) async throws {
        let flags = try Self.flags(RemoteEvaluationKey("first"))
        let answer = try await flags.post(
            "/rollout", Flags.context("visitor-1"), headers: headers.map { (name: $0.0, value: $0.1) })
        #expect(answer.status == 401)
        #expect(answer.headers["www-authenticate"] == "Bearer")
        #expect(answer["errorDetails"] != nil)
        #expect(answer["key"] == nil)
    }

    @Test func anEmptyKeyIsNeverAccepted() async throws {
        let flags = try Self.flags(RemoteEvaluationKey(""))
        #expect(try await Self.status(flags, ("X-API-Key", "")) == 401)
        #expect(try await Self.status(flags) == 401)
    }

    @Test func aKeyCanBeLimitedToSomeRequests() async throws {
        let flags = try Self.flags(RemoteEvaluationKey("server", permissions: .flag))
        let key = [(name: "X-API-Key", value: "server")]
        #expect(try await flags.post("/rollout", Flags.context("v"), headers: key).status == 200)
        #expect(try await flags.post("", Flags.context("v"), headers: key).status == 403)
        #expect(try await flags.send("GET", "/ofrep/v1/changes", key).status == 403)
    }

    @Test func ofTwoKeysWithOneSecretTheLastOneCounts() async throws {
        let flags = try Self.flags(
            RemoteEvaluationKey("first", permissions: .bulk), RemoteEvaluationKey("first", permissions: .flag))
        #expect(try await Self.status(flags, ("X-API-Key", "first")) == 200)
    }

    @Test func aKeyDoesNotPrintItsSecret() {
        let key = RemoteEvaluationKey("topsecret")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!"\(key)\(String(reflecting: key))\(dumped)".contains("topsecret"))
    }

    @Test func moreRequestsThanTheRateWaitForTheirToken() async throws {
        let clock = StepClock()
        var configuration = RemoteEvaluationConfiguration()
        configuration.accessKeys = [RemoteEvaluationKey("a"), RemoteEvaluationKey("b")]
        configuration.rateLimit = .init(requestsPerSecond: 0.5, burst: 2)
        let sdk = ConvertSDK(testing: try TestProject(json: Flags.config))
        let remote = RemoteEvaluation(sdk: sdk, configuration: configuration, time: clock)
        func answer(_ key: String) throws -> Answer {
            try Answer(
                remote.respondWithoutLoading(
                    to: RemoteEvaluationRequest(
                        method: "POST", path: "/ofrep/v1/evaluate/flags/rollout", headers: [("X-API-Key", key)],
                        body: Array(#"{"context":{"targetingKey":"v"}}"#.utf8))))
        }
        #expect(try (0..<2).map { _ in try answer("a").status } == [200, 200])
        let refused = try answer("a")
        #expect(refused.status == 429)
        #expect(refused.headers["retry-after"] == "2")
        #expect(try answer("b").status == 200)
        clock.advance(by: .seconds(2))
        #expect(try answer("a").status == 200)
        #expect(try answer("a").status == 429)
    }

    @Test(arguments: [
        (Double.leastNonzeroMagnitude, 86_400), (1e-300, 86_400), (1 / 86_400, 86_400), (0.5, 2), (0, 3_600),
        (-1, 3_600),
        (.infinity, 3_600), (.nan, 3_600),
    ])
    func theSlowestRateIsOneRequestPerDay(rate: Double, seconds: Int) async throws {
        var configuration = RemoteEvaluationConfiguration()
        configuration.rateLimit = .init(requestsPerSecond: rate, burst: 0)
        let sdk = ConvertSDK(testing: try TestProject(json: Flags.config))
        let remote = RemoteEvaluation(sdk: sdk, configuration: configuration, time: StepClock())
        let request = RemoteEvaluationRequest(method: "POST", path: "/ofrep/v1/evaluate/flags")
        #expect(try Answer(remote.respondWithoutLoading(to: request)).status == 400)
        let refused = try Answer(remote.respondWithoutLoading(to: request))
        #expect(refused.status == 429)
        #expect(refused.headers["retry-after"] == "\(seconds)")
    }
}
