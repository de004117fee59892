import ConvertTestSupport
import ConvertSwiftSDK
import ConvertTestServer
import Foundation
import Testing

/// An SDK whose disk is full or must not be written to, and processes that use one ledger after the other.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let project = """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "90", "key": "all", "variations": [{"id": "900", "key": "a"}]}]
        """

    private static let config = Data("\(project)}".utf8)

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
        configuration.configCopyFile = place.appendingPathComponent("config")
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
        #expect(names.allSatisfy { $0 == "config" || $0.hasPrefix("convert.sqlite") }, "nothing half written: \(names)")
        server.refuseConnections()
        let offline = ConvertSDK(sdkKey: "10/20", configuration: configuration)
        try await offline.ready()
        #expect(offline.createContext(visitorID: "v").decide("all").variation?.variationKey == "a")
    }

    @Test func aProcessKnowsWhatTheOwnerBeforeItStored() async throws {
        let endpoint = TrackingRecorder()
        let server = try TestServer { endpoint.answer($0) { _ in .status(200) } }
        defer { server.stop() }
        let url = server.url().absoluteString
        // Each waits until no other owns the ledger.
        let probes = try (0..<2).map { _ in try Probe("succeed", folder.url.path, url, "100") }
        let outputs = await Probe.wholeOutputs(probes)
        #expect(outputs.sorted() == ["0 first, all stored and delivered", "100 first, all stored and delivered"])
        #expect(Set(endpoint.visitorIDs) == Set((0..<100).map { "v\($0)" }))
    }
}
