import ConvertTestSupport
import ConvertTestServer
import ConvertTransport
import Foundation
import ConvertConcurrency
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

struct ConfigRefreshTests {
    private static func good(_ data: Data = Fixture.data) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["ETag": "\"\(data.count)\""], body: data)
    }

    /// Everything that can come instead of a new config; an error is one that the transport throws.
    private static let bad: [(name: String, answer: HTTPResponse?)] = [
        ("no answer", nil), ("500", HTTPResponse(status: 500)), ("404", HTTPResponse(status: 404)),
        ("redirect", HTTPResponse(status: 302, headers: ["Location": "http://elsewhere/"])),
        ("empty", good(Data())), ("garbage", good(Data("<html>".utf8))), ("cut", good(Fixture.data.dropLast(40))),
        ("array", good(Data("[]".utf8))), ("error document", good(Data(#"{"error": "no"}"#.utf8))),
        ("binary", good(Data([0xff, 0xfe, 0x00]))),
    ]

    @Test func aConfigIsFetchedAgainAtTheIntervalWithinATenth() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport { _, index in
            index == 0 ? Self.good() : index == 1 ? HTTPResponse(status: 304) : Self.good(Fixture.laterData)
        }
        let listener = RecordingListener()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport)
        sdk.onEvent { listener.take($0) }
        try await sdk.ready()
        let early = sdk.createContext(visitorID: "v1")
        // A request's own deadline is a quarter of a minute away.
        func isResting() -> Bool { (clock.nextDeadline ?? .zero) > clock.now + .seconds(100) }
        #expect(await eventually(isResting))
        let wait = try #require(clock.nextDeadline)
        #expect(wait >= .seconds(270) && wait <= .seconds(330))
        clock.advance(by: wait)
        #expect(await eventually { transport.requests.count == 2 && isResting() })
        #expect(transport.requests.last?.headers["If-None-Match"] == "\"\(Fixture.data.count)\"")
        #expect(listener.events == [.ready])
        clock.advance(by: .seconds(330))
        #expect(await eventually { listener.events == [.ready, .configUpdated] })
        #expect(sdk.createContext(visitorID: "v1").decide("new").variation != nil)
        #expect(early.decide("new").reason == .unknownExperience)
        #expect(early.decide("all").variation != nil)
    }

    @Test func anOldConfigGoesBehindItsLastContext() async throws {
        let sdk = Fixture.fetchingSDK(clock: StepClock(), transport: ScriptedTransport { _, _ in Self.good() })
        try await sdk.ready()
        var context: ConvertContext? = sdk.createContext(visitorID: "v1")
        weak var program: RuleProgram?
        program = context?.basis.snapshot?.project.program
        sdk.install(try ProjectConfig(json: Fixture.laterData))
        #expect(context?.decide("all").variation != nil && program != nil)
        context = nil
        #expect(await eventually { program == nil })
    }

    @Test(arguments: bad.indices)
    func theLastGoodConfigSurvivesEveryFailure(index: Int) async throws {
        let (name, answer) = Self.bad[index]
        let clock = StepClock()
        let transport = ScriptedTransport { _, index in
            switch index {
            case 0: return Self.good()
            case 1, 2:
                guard let answer else { throw Failure() }
                return answer
            default: return Self.good(Fixture.laterData)
            }
        }
        let logger = RecordingLogger()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport) { $0.logger = logger }
        try await sdk.ready()
        for _ in 0..<2 {
            await #expect(throws: ConvertError.self, "\(name)") { try await sdk.refreshConfig() }
            #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil, "\(name)")
            try await sdk.ready()
        }
        #expect(logger.warnings.count { $0.contains("no new config") } == 1, "\(name)")
        #expect(transport.requests.last?.headers["If-None-Match"] == "\"\(Fixture.data.count)\"", "\(name)")
        try await sdk.refreshConfig()
        #expect(sdk.createContext(visitorID: "v1").decide("new").variation != nil, "\(name)")
    }

    @Test(arguments: bad.indices)
    func withoutAFirstConfigReadyThrowsAndTheNextAttemptHeals(index: Int) async throws {
        let (name, answer) = Self.bad[index]
        let clock = StepClock()
        let transport = ScriptedTransport { _, index in
            if index > 0 { return Self.good() }
            guard let answer else { throw Failure() }
            return answer
        }
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport)
        await #expect(throws: ConvertError.self, "\(name)") { try await sdk.ready() }
        #expect(sdk.createContext(visitorID: "v1").decide("all").reason == .sdkNotReady)
        #expect(await eventually { clock.nextDeadline.map { $0 <= .seconds(2) } ?? false }, "\(name)")
        clock.advance(by: .seconds(2))
        #expect(await eventually { sdk.isReady }, "\(name)")
        try await sdk.ready()
    }

    @Test func aNotModifiedWithoutACopyIsNoConfig() async {
        let sdk = Fixture.fetchingSDK(transport: ScriptedTransport(status: 304))
        let error = await #expect(throws: ConvertError.self) { try await sdk.ready() }
        #expect(error?.code == .configUnavailable)
    }

    @Test func readyGivesUpAtItsTimeoutAndAtTheShutdown() async throws {
        let clock = StepClock()
        let gate = Latch()
        let transport = ScriptedTransport { _, _ in
            _ = await gate.wait()
            return Self.good()
        }
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport)
        let ready = Task { try await sdk.ready(timeout: .seconds(3)) }
        #expect(await eventually { clock.nextDeadline == .seconds(3) })
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: ConvertError.self) { try await ready.value }
        #expect(error?.code == .notReady)
        let waiting = Task { try await sdk.ready() }
        await sdk.shutdown(deadline: .zero)
        let atShutdown = await #expect(throws: ConvertError.self) { try await waiting.value }
        #expect(atShutdown?.code == .shutDown)
        gate.open()
    }

    @Test func aCopyOnDiskServesAStartWithoutNetwork() async throws {
        let path = Fixture.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let online = ScriptedTransport { _, _ in Self.good() }
        try await Fixture.fetchingSDK(secret: "s3cret", transport: online) {
            $0.configCopyFile = URL(fileURLWithPath: path)
        }.ready()
        #expect(await eventually { FileManager.default.fileExists(atPath: path) })
        #expect(!String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self).contains("s3cret"))
        let offline = ScriptedTransport { _, _ in throw Failure() }
        let sdk = Fixture.fetchingSDK(transport: offline) { $0.configCopyFile = URL(fileURLWithPath: path) }
        try await sdk.ready()
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil)
        #expect(await eventually { offline.requests.first?.headers["If-None-Match"] == "\"\(Fixture.data.count)\"" })
        // A copy of another project or environment is ignored.
        let other = Fixture.fetchingSDK(key: "other", transport: offline) {
            $0.configCopyFile = URL(fileURLWithPath: path)
        }
        await #expect(throws: ConvertError.self) { try await other.ready() }
        let production = Fixture.fetchingSDK(transport: offline) {
            $0.configCopyFile = URL(fileURLWithPath: path)
            $0.environment = "production"
        }
        await #expect(throws: ConvertError.self) { try await production.ready() }
    }

    @Test func theCopyIsItsOwnersAloneAndHoldsNoCredentials() async throws {
        let path = Fixture.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        // An earlier one that others may read.
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        func sdk(_ answer: @escaping ScriptedTransport.Answer) -> ConvertSDK {
            Fixture.fetchingSDK(transport: ScriptedTransport(answer)) {
                $0.configCopyFile = URL(fileURLWithPath: path)
                $0.configEndpoint = "https://us%20er:passw0rd@host/api/"
            }
        }
        let online = sdk { _, _ in Self.good() }
        try await online.ready()
        await online.shutdown(deadline: .seconds(60))
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(!text.contains("passw0rd") && !text.contains("us%20er") && text.contains("account_id"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try await sdk { _, _ in throw Failure() }.ready()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let name = URL(fileURLWithPath: path).lastPathComponent
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(name) }
        #expect(beside == [name])
    }

    @Test func aShutdownWaitsForTheCopyThatIsBeingWritten() async throws {
        let document = Fixture.data.dropLast() + Data(repeating: 0x20, count: 4 << 20) + Data("}".utf8)
        for _ in 0..<5 {
            let path = Fixture.temporaryFile()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let sdk = Fixture.fetchingSDK(
                transport: ScriptedTransport { _, _ in HTTPResponse(status: 200, body: document) }
            ) { $0.configCopyFile = URL(fileURLWithPath: path) }
            try await sdk.ready()
            await sdk.shutdown(deadline: .seconds(60))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > document.count)
        }
    }

    @Test func aTinyIntervalCountsAsASecond() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport { _, _ in Self.good() }
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport) { $0.refreshInterval = .nanoseconds(1) }
        try await sdk.ready()
        #expect(await eventually { clock.nextDeadline.map { $0 >= .milliseconds(900) } ?? false })
        clock.advance(by: .milliseconds(1100))
        #expect(await eventually { transport.requests.count == 2 })
        #expect(await eventually { clock.nextDeadline.map { $0 >= .milliseconds(2000) } ?? false })
    }

    @Test func aDamagedCopyIsIgnored() async throws {
        let path = Fixture.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let online = ScriptedTransport { _, _ in Self.good() }
        try await Fixture.fetchingSDK(transport: online) { $0.configCopyFile = URL(fileURLWithPath: path) }.ready()
        #expect(await eventually { FileManager.default.fileExists(atPath: path) })
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for end in [0, 1, 20, whole.count / 2, whole.count - 1] {
            try whole.prefix(end).write(to: URL(fileURLWithPath: path))
            let sdk = Fixture.fetchingSDK(transport: ScriptedTransport { _, _ in throw Failure() }) {
                $0.configCopyFile = URL(fileURLWithPath: path)
            }
            await #expect(throws: ConvertError.self, "\(end) bytes") { try await sdk.ready() }
        }
    }

    @Test func aDebugTokenIsNeitherLoggedNorKeptOnDisk() async throws {
        let path = Fixture.temporaryFile()
        let logger = RecordingLogger()
        let transport = ScriptedTransport { request, index in
            if request.method == "GET", index > 0 { throw TransportError(.cannotConnect, host: "h") }
            return Self.good()
        }
        let sdk = Fixture.fetchingSDK(secret: "s3cret", transport: transport) {
            $0.configCopyFile = URL(fileURLWithPath: path)
            $0.debugToken = "t0ken"
            $0.logger = logger
            $0.logLevel = .trace
        }
        try await sdk.ready()
        await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        await sdk.flush()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!logger.messages.contains { $0.message.contains("t0ken") || $0.message.contains("s3cret") })
        let tracking = try #require(transport.requests.last)
        #expect(tracking.method == "POST" && !tracking.url.absoluteString.contains("t0ken"))
    }

    @Test func aPlaceThatCannotBeWrittenCostsNothingButTheCopy() async throws {
        let logger = RecordingLogger()
        let sdk = Fixture.fetchingSDK(transport: ScriptedTransport { _, _ in Self.good() }) {
            $0.configCopyFile = URL(fileURLWithPath: "/proc/no/such/place")
            $0.logger = logger
        }
        try await sdk.ready()
        #expect(await eventually { logger.warnings.contains { $0.contains("cannot be written") } })
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil)
    }

    @Test func aFileIsReadAgain() async throws {
        let path = Fixture.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let url = URL(fileURLWithPath: path)
        try Fixture.data.write(to: url)
        let sdk = try Fixture.sdk(source: .file(url))
        try await sdk.ready()
        try Data("{".utf8).write(to: url)
        await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil)
        try Fixture.laterData.write(to: url)
        try await sdk.refreshConfig()
        #expect(sdk.createContext(visitorID: "v1").decide("new").variation != nil)
    }

    @Test func aFileOrDataThatIsNoConfigIsReported() async throws {
        #expect(throws: ConfigError.self) { _ = try ConvertSDK(configData: Data("{}".utf8)) }
        let sdk = try Fixture.sdk(source: .file(URL(fileURLWithPath: "/no/such/file")))
        let error = await #expect(throws: ConvertError.self) { try await sdk.ready() }
        #expect(error?.code == .configUnavailable)
    }
}
