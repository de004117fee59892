import ConvertTestSupport
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestServer
import Foundation
import Testing

/// An SDK whose disk is full or must not be written to, and processes that share one.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
    let folder: TemporaryFolder
    let full: StoreFile.Options

    init() throws {
        folder = try TemporaryFolder()
        var options = StoreFile.Options()
        options.maximumPageCount = 40
        full = options
    }

    private static let project = """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "90", "key": "all", "variations": [{"id": "900", "key": "a"}]}]
        """

    private static let config = Data("\(project)}".utf8)

    private func sdk(_ change: (inout SDKConfiguration) -> Void) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.requestTimeout = .seconds(3600)
        change(&configuration)
        return try ConvertSDK(configData: Self.config, configuration: configuration)
    }

    @Test(arguments: [100, 100_000]) func aFullJournalLosesNothingThatTheQueueHolds(capacity: Int) async throws {
        let endpoint = TrackingRecorder()
        // Asked to wait, it fails once or twice until the endpoint heals, and not so often that it backs off for long.
        let failure = ServerResponse.status(503, headers: ["Retry-After": "5"])
        let server = try TestServer { endpoint.answer($0) { _ in failure } }
        defer { server.stop() }
        let journal = try SQLiteEventJournal(file: folder.file(), options: full) { _ in }
        let sdk = try sdk {
            $0.trackEndpoint = server.url().absoluteString
            $0.journal = journal
            $0.queueCapacity = capacity
        }
        for number in 0..<3000 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        let gathered = sdk.deliveryCounts
        let overflow = gathered.rejected[.overflow] ?? 0
        #expect(gathered.accepted == 3000 && gathered.queued + overflow == 3000)
        #expect((overflow > 0) == (capacity == 100))
        let kept = try await journal.events(after: 0, limit: 10_000).count
        #expect(kept > 100 && kept < 3000, "the disk took some")
        endpoint.heal()
        let report = await sdk.shutdown(deadline: .seconds(3600))
        #expect(report.events.delivered == 3000 - overflow && report.isComplete == (overflow == 0))
        let arrived = Set(endpoint.visitorIDs)
        #expect(arrived.count == 3000 - overflow)
        #expect(capacity == 100 || arrived == Set((0..<3000).map { "v\($0)" }))
        #expect(try await journal.events(after: 0, limit: 1).isEmpty && !journal.append([Data(count: 50_000)]).isEmpty)
    }

    @Test func aFullVisitorStoreChangesNoDecisionAndIsSaid() async throws {
        let store = try SQLiteVisitorStore(file: folder.file(), maximumCount: 10_000, options: full) { _ in }
        let sdk = try sdk {
            $0.isTrackingEnabled = false
            $0.visitorStore = store
        }
        let long = String(repeating: "x", count: 2000)
        for number in 0..<200 {
            let context = await sdk.loadContext(visitorID: "v\(number)", attributes: ["country": .string(long)])
            #expect(context.selectVariation("all")?.variationKey == "a")
        }
        // Everybody is tried before the deadline begins, however long that takes.
        await sdk.flush()
        let report = await sdk.shutdown(deadline: .seconds(1))
        #expect(report.unsavedVisitors > 0 && report.unsavedVisitors < 200 && !report.isComplete)
        var saved = 0
        for number in 0..<200 where try await store.load("10-20-v\(number)")?.bucketing != nil { saved += 1 }
        #expect(saved == 200 - report.unsavedVisitors)
    }

    @Test(arguments: ["space", "rights"]) func aDiskThatTakesNothingCostsTheCopyOnly(want: String) async throws {
        let endpoint = TrackingRecorder()
        // Too long for the space there is.
        let long = Data(#"\#(Self.project), "padding": "\#(String(repeating: "x", count: 100_000))"}"#.utf8)
        let isLong = folder.file("long").path
        let server = try TestServer { request in
            if request.method == "POST" { return endpoint.answer(request) { _ in .status(200) } }
            return .status(200, body: FileManager.default.fileExists(atPath: isLong) ? long : Self.config)
        }
        defer { server.stop() }
        let url = server.url().absoluteString
        let place = folder.url.appendingPathComponent("place")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        var configuration = SDKConfiguration()
        configuration.configEndpoint = url
        configuration.configCopyPath = place.appendingPathComponent("config").path
        configuration.logLevel = .silent
        configuration.requestTimeout = .seconds(3600)
        try await ConvertSDK(sdkKey: "10/20", configuration: configuration).ready()
        let copy = place.appendingPathComponent("config")
        #expect(await eventually { FileManager.default.fileExists(atPath: copy.path) })
        let before = try Data(contentsOf: copy)
        try Data().write(to: URL(fileURLWithPath: isLong))
        if want == "rights" {
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place.path)
        }
        #expect(
            try await Probe("starve", place.path, url, want).wholeOutput() == "a, 201 accepted, 201 delivered, 0 queued"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
        #expect(Set(endpoint.visitorIDs) == Set(["v"] + (0..<200).map { "v\($0)" }))
        #expect(try Data(contentsOf: copy) == before, "the last copy is whole")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(names.allSatisfy { $0 == "config" || $0.hasPrefix("events.sqlite") }, "nothing half written: \(names)")
        server.refuseConnections()
        let offline = ConvertSDK(sdkKey: "10/20", configuration: configuration)
        try await offline.ready()
        #expect(offline.createContext(visitorID: "v").selectVariation("all")?.variationKey == "a")
    }

    /// Delivered rows that stay would be sent again by every process that comes.
    @Test(arguments: ["300000", "1000000"])
    func deliveredEventsAreRemovedThoughTheDiskIsFull(limit: String) async throws {
        #expect(try await Probe("forget", folder.file().path, limit).wholeOutput() == "true 0")
        #expect(try await SQLiteEventJournal(file: folder.file()).events(after: 0, limit: 10).isEmpty)
    }

    @Test func processesShareVisitors() async throws {
        let endpoint = TrackingRecorder()
        let server = try TestServer { endpoint.answer($0) { _ in .status(200) } }
        defer { server.stop() }
        let url = server.url().absoluteString
        let probes = try ["a", "b"].map { try Probe("share", folder.url.path, url, $0, "100") }
        let outputs = await Probe.wholeOutputs(probes)
        #expect(outputs.allSatisfy { $0.hasSuffix("first, all saved and delivered") })
        #expect(Set(endpoint.visitorIDs) == Set((0..<100).map { "v\($0)" }))
        let again = try await Probe("share", folder.url.path, url, "c", "100").wholeOutput()
        #expect(again == "0 first, all saved and delivered", "the third process knows what both did")
    }
}
