import ConvertTestSupport
import ConvertConcurrency
import ConvertECMAScript
import ConvertTransport
import Foundation
import Testing

@testable import ConvertMobileRules

struct RulesLoaderTests: RulesLoading {
    @Test func validatorsAreSentBackAndAnUnchangedAnswerKeepsTheRules() async throws {
        let transport = ScriptedTransport(
            .status(200, try archive("a"), headers: ["ETag": "\"1\"", "Last-Modified": "yesterday"]), .status(304))
        let engine = MobileRulesEngine()
        let loader = RulesLoader(engine: engine, source: .url(endpoint), transport: transport)
        #expect(try await loader.start() == .loaded)
        #expect(try await loader.refresh() == .notModified)
        #expect(ids(engine) == ["a"])
        #expect(transport.requests[0].headers["If-None-Match"] == nil)
        #expect(transport.requests[1].headers["If-None-Match"] == "\"1\"")
        #expect(transport.requests[1].headers["If-Modified-Since"] == "yesterday")
    }

    static let bad: [Result<HTTPResponse, ScriptedTransport.Unreachable>] = [
        .unreachable, .status(404), .status(500), .status(206, Data("{}".utf8)), .status(200),
        .status(200, Data("<html>not rules</html>".utf8)), .status(200, Data("PK\u{3}\u{4}cut".utf8)),
        .status(200, Data(#"{"version": 1}"#.utf8)), .status(204),
    ]

    @Test(arguments: bad.indices) func aBadAnswerLeavesTheRulesAndTheCache(index: Int) async throws {
        try await withCache { cache in
            let good = Result<HTTPResponse, ScriptedTransport.Unreachable>.status(200, try archive("good"))
            let engine = MobileRulesEngine()
            let transport = ScriptedTransport(good, Self.bad[index])
            let loader = RulesLoader(engine: engine, source: .url(endpoint), transport: transport, cache: cache)
            try await loader.start()
            await #expect(throws: MobileRulesError.self) { try await loader.refresh() }
            #expect(ids(engine) == ["good"])

            let restarted = MobileRulesEngine()
            let second = RulesLoader(
                engine: restarted, source: .url(endpoint), transport: ScriptedTransport(Self.bad[index]), cache: cache)
            await #expect(throws: MobileRulesError.self) { try await second.start() }
            #expect(ids(restarted) == ["good"])
        }
    }

    @Test func theCacheKeepsValidatorsAndAssetsOverARestart() async throws {
        try await withCache { cache in
            let json = String(
                decoding: try rulesJSON([rule(always, consequence("m", "iam", ["html": "m.html"]))]), as: UTF8.self)
            let archive = ZIPWriter().archive(.init("rules.json", json), .init("assets/m.html", "<p>"))
            let first = RulesLoader(
                engine: MobileRulesEngine(), source: .url(endpoint),
                transport: ScriptedTransport(.status(200, archive, headers: ["ETag": "\"7\""])), cache: cache)
            try await first.start()

            let engine = MobileRulesEngine()
            let transport = ScriptedTransport(.status(304))
            let second = RulesLoader(engine: engine, source: .url(endpoint), transport: transport, cache: cache)
            #expect(try await second.start() == .notModified)
            #expect(transport.requests[0].headers["If-None-Match"] == "\"7\"")
            #expect(engine.process(event()).triggered[0].assets["m.html"] == Data("<p>".utf8))
        }
    }

    @Test func aDamagedCacheIsReportedAndFetchedAnew() async throws {
        try await withCache { cache in
            let first = RulesLoader(
                engine: MobileRulesEngine(), source: .url(endpoint),
                transport: ScriptedTransport(.status(200, try archive("a"), headers: ["ETag": "\"1\""])), cache: cache)
            try await first.start()
            let file = try #require(
                FileManager.default.contentsOfDirectory(at: cache.folder, includingPropertiesForKeys: nil).first)
            var changed = try Data(contentsOf: file)
            changed[changed.endIndex - 1] ^= 1
            try changed.write(to: file)

            let observer = Observer()
            var configuration = MobileRulesConfiguration()
            configuration.observer = observer
            let engine = MobileRulesEngine(configuration)
            let transport = ScriptedTransport(.status(200, try archive("b")))
            let second = RulesLoader(engine: engine, source: .url(endpoint), transport: transport, cache: cache)
            #expect(try await second.start() == .loaded)
            #expect(transport.requests[0].headers["If-None-Match"] == nil)
            #expect(ids(engine) == ["b"] && observer.places.entries.count == 1)
        }
    }

    @Test func bundledRulesServeUntilTheEndpointAnswers() async throws {
        let engine = MobileRulesEngine()
        let loader = RulesLoader(
            engine: engine, source: .url(endpoint),
            transport: ScriptedTransport(.unreachable, .status(200, try archive("new"))),
            bundled: try archive("bundled"))
        await #expect(throws: MobileRulesError.self) { try await loader.start() }
        #expect(ids(engine) == ["bundled"])
        try await loader.refresh()
        #expect(ids(engine) == ["new"])
    }

    @Test func startingAgainDoesNotPutBundledRulesOverNewOnes() async throws {
        let engine = MobileRulesEngine()
        let transport = ScriptedTransport(.status(200, try archive("new"), headers: ["ETag": "\"1\""]), .status(304))
        let loader = RulesLoader(
            engine: engine, source: .url(endpoint), transport: transport, bundled: try archive("bundled"))
        #expect(try await loader.start() == .loaded)
        #expect(try await loader.start() == .notModified)
        #expect(ids(engine) == ["new"])
    }

    @Test func startingAfterARefreshDoesNotPutBundledRulesOverNewOnes() async throws {
        let engine = MobileRulesEngine()
        let loader = RulesLoader(
            engine: engine, source: .url(endpoint),
            transport: ScriptedTransport(.status(200, try archive("new")), .unreachable),
            bundled: try archive("bundled"))
        try await loader.refresh()
        await #expect(throws: MobileRulesError.self) { try await loader.start() }
        #expect(ids(engine) == ["new"])
    }

    /// Collects the places of warnings.
    private struct Observer: MobileRulesObserver {
        let places = Log<String>()
        func didWarn(_ warning: MobileRulesWarning) { places.append(warning.place) }
    }

    @Test func damagedBundledRulesDoNotKeepTheNewOnesOut() async throws {
        let observer = Observer()
        var configuration = MobileRulesConfiguration()
        configuration.observer = observer
        let engine = MobileRulesEngine(configuration)
        let loader = RulesLoader(
            engine: engine, source: .url(endpoint), transport: ScriptedTransport(.status(200, try archive("new"))),
            bundled: try archive("bundled").dropLast())
        #expect(try await loader.start() == .loaded)
        #expect(ids(engine) == ["new"])
        #expect(observer.places.entries == ["archive"])
    }

    @Test func anUnusableCachedCopyIsReportedAndFetchedAnew() async throws {
        try await withCache { cache in
            try cache.copy(of: endpoint).write(Data("{}".utf8), validators: HTTPValidators(etag: "\"1\""))
            let observer = Observer()
            var configuration = MobileRulesConfiguration()
            configuration.observer = observer
            let engine = MobileRulesEngine(configuration)
            for outcome in [RulesLoader.Outcome.loaded, .notModified] {
                let transport = ScriptedTransport(.status(200, try archive("new")))
                let loader = RulesLoader(engine: engine, source: .url(endpoint), transport: transport, cache: cache)
                #expect(try await loader.start() == outcome)
                #expect(transport.requests[0].headers["If-None-Match"] == nil)
            }
            #expect(ids(engine) == ["new"])
            #expect(observer.places.entries == ["$.version"])
        }
    }

    @Test func rulesThatCannotBeKeptAreLoadedWithAWarning() async throws {
        try await withCache { cache in
            // A file where the folder should be.
            try Data().write(to: cache.folder)
            let observer = Observer()
            var configuration = MobileRulesConfiguration()
            configuration.observer = observer
            let engine = MobileRulesEngine(configuration)
            let loader = RulesLoader(
                engine: engine, source: .url(endpoint), transport: ScriptedTransport(.status(200, try archive("a"))),
                cache: cache)
            #expect(try await loader.start() == .loaded)
            #expect(ids(engine) == ["a"])
            #expect(observer.places.entries.count == 1)
            #expect(observer.places.entries.first?.hasPrefix(cache.folder.path) == true)
        }
    }

    @Test(.timeLimit(.minutes(10))) func startsAtOnceDoNotPutBundledRulesOverTheCachedOnes() async throws {
        try await withCache { cache in
            try cache.copy(of: endpoint).write(try archive("cached"), validators: HTTPValidators(etag: "\"1\""))
            for _ in 0..<50 {
                let engine = MobileRulesEngine()
                let loader = RulesLoader(
                    engine: engine, source: .url(endpoint), transport: ScriptedTransport(.status(304)), cache: cache,
                    bundled: try archive("bundled"))
                await withTaskGroup { group in
                    for _ in 0..<4 { group.addTask { _ = try? await loader.start() } }
                }
                #expect(ids(engine) == ["cached"])
            }
        }
    }

    static let configurations: [(json: String, code: MobileRulesError.Code?)] = [
        (#"{"rules.url": "https://rules.example/r.zip", "x": 1}"#, nil),
        (#"{"rules.url": 5}"#, .wrongType), (#"{"rules.url": "no url"}"#, .wrongType), ("[]", .invalidJSON),
        ("{", .invalidJSON), ("{}", .missingMember), (#"{"rules.url": "http://rules.example/r.zip"}"#, .unreachable),
    ]

    @Test(arguments: configurations) func aConfigurationSaysWhereTheRulesAre(
        json: String, code: MobileRulesError.Code?
    ) async throws {
        let engine = MobileRulesEngine()
        let transport = ScriptedTransport(.status(200, try archive("a")))
        let loader = RulesLoader(
            engine: engine, source: .configuration(.data(Data(json.utf8))), transport: transport)
        guard let code else {
            #expect(try await loader.start() == .loaded)
            #expect(ids(engine) == ["a"] && transport.requests.map(\.url) == [endpoint])
            return
        }
        let error = await #expect(throws: MobileRulesError.self) { try await loader.start() }
        #expect(error?.code == code && transport.requests.isEmpty)
    }

    @Test(arguments: ["rulesUrl", "Rules.url", "rules_url"])
    func aMisspeltAddressOfTheRulesIsNamed(member: String) async throws {
        let json = #"{"\#(member)": "https://rules.example/r.zip"}"#
        let loader = RulesLoader(engine: MobileRulesEngine(), source: .configuration(.data(Data(json.utf8))))
        let error = await #expect(throws: MobileRulesError.self) { try await loader.start() }
        #expect(error?.code == .missingMember)
        #expect(error?.message.contains("'\(member)'") == true)
    }

    @Test func aConfigurationWithoutRulesKeepsTheBundledOnes() async throws {
        let engine = MobileRulesEngine()
        let loader = RulesLoader(
            engine: engine, source: .configuration(.data(Data("{}".utf8))), bundled: try archive("bundled"))
        #expect(try await loader.start() == .notModified)
        #expect(ids(engine) == ["bundled"])
    }

    @Test func aConfigurationAtAnEndpointIsAskedForAndServesFromTheCacheWithoutOne() async throws {
        try await withCache { cache in
            let place = try #require(URL(string: "https://user:secret@rules.example/c.json?token=1"))
            let (archive, endpoint) = (try archive("a"), endpoint)
            let online = ScriptedTransport { request, _ in
                request.url == place
                    ? HTTPResponse(status: 200, body: Data(#"{"rules.url": "\#(endpoint.absoluteString)"}"#.utf8))
                    : HTTPResponse(status: 200, body: archive)
            }
            let engine = MobileRulesEngine()
            let first = RulesLoader(
                engine: engine, source: .configuration(.url(place)), transport: online, cache: cache)
            #expect(try await first.start() == .loaded)
            #expect(ids(engine) == ["a"] && online.requests.map(\.url) == [place, endpoint])

            let restarted = MobileRulesEngine()
            let second = RulesLoader(
                engine: restarted, source: .configuration(.url(place)), transport: ScriptedTransport(.unreachable),
                cache: cache)
            let error = await #expect(throws: MobileRulesError.self) { try await second.start() }
            #expect(ids(restarted) == ["a"])
            #expect(error.map { !"\($0)".contains("secret") && !"\($0)".contains("token") } == true)
            for file in try FileManager.default.contentsOfDirectory(at: cache.folder, includingPropertiesForKeys: nil) {
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                #expect(!text.contains("secret") && !text.contains("token"))
            }
        }
    }

    @Test func rulesAreFetchedOverTrustworthyConnectionsOnly() async throws {
        let plain = try #require(URL(string: "http://rules.example/r.zip"))
        let transport = ScriptedTransport(.status(200, try archive("a")))
        let loader = RulesLoader(engine: MobileRulesEngine(), source: .url(plain), transport: transport)
        await #expect(throws: MobileRulesError.self) { try await loader.start() }
        #expect(transport.requests.isEmpty)
    }

    @Test func dataAndFilesAreReadAsArchivesOrDocuments() async throws {
        let engine = MobileRulesEngine()
        try await RulesLoader(engine: engine, source: .data(try archive("zip"))).start()
        #expect(ids(engine) == ["zip"])
        try await withCache { cache in
            try FileManager.default.createDirectory(at: cache.folder, withIntermediateDirectories: true)
            let file = cache.folder.appending(path: "rules.json")
            try rulesJSON([rule(always, consequence("file"))]).write(to: file)
            try await RulesLoader(engine: engine, source: .file(file)).start()
            #expect(ids(engine) == ["file"])
            let missing = RulesLoader(engine: engine, source: .file(cache.folder.appending(path: "none")))
            await #expect(throws: MobileRulesError.self) { try await missing.start() }
        }
        #expect(ids(engine) == ["file"])
    }

    @Test func addedRulesComeBehindThoseThatAreThere() throws {
        let engine = try engine(rule(always, consequence("a")))
        engine.addRules(try document(rule(always, consequence("b"))))
        #expect(ids(engine) == ["a", "b"])
        #expect(engine.ruleCount == 2)
    }
}
