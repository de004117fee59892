import ConvertTestServer
import Foundation
import Testing

struct FetchingTests {
    private static let config = """
        {"account_id": "1", "project": {"id": "2"}, "features": [{"id": "5", "key": "flow", "variables": [{"key": "on",
        "type": "boolean"}]}, {"id": "6", "key": "other"}],
        "experiences": [{"id": "9", "key": "checkout", "version": 11, "variations": [{"id": "91", "key": "original",
        "changes": [{"type": "fullStackFeature", "data": {"feature_id": "5",
        "variables_data": {"on": "true"}}}]}]}]}
        """

    @Test func aConfigIsFetchedByItsKeyAndNothingIsTracked() throws {
        let server = try TestServer(.status(200, body: Self.config))
        defer { server.stop() }
        let run = try Tool.run(
            "decide", "--sdk-key", "1/2", "--endpoint", server.url("/api").absoluteString, "--environment", "live",
            "--visitor", "v1")
        #expect(run.status == 0 && run.output.contains("original"))
        #expect(server.requests.map(\.target) == ["/api/config/1/2?environment=live"])
    }

    @Test func aFailedFetchPrintsOneLine() throws {
        let server = try TestServer(.status(404))
        defer { server.stop() }
        let run = try Tool.run(
            "decide", "--sdk-key", "1/2", "--endpoint", server.url().absoluteString, "--visitor", "v1")
        #expect(run.status == 2 && run.complaints.count == 1)
        #expect(run.errors.contains("404"))
    }

    @Test func fetchPrintsTheBytesThatWereServed() throws {
        let served = Self.config.replacing("flow", with: "flow\u{202E}") + " \n\n"
        let server = try TestServer(.status(200, body: served))
        defer { server.stop() }
        let endpoint = server.url("/api").absoluteString
        let run = try Tool.run("fetch", "--sdk-key", "1/2", "--endpoint", endpoint, "--environment", "live")
        #expect(run.status == 0 && run.output == served && run.errors.isEmpty)
        #expect(server.requests.map(\.target) == ["/api/config/1/2?environment=live"])
    }

    @Test func fetchPrintsNothingThatIsNoConfig() throws {
        let server = try TestServer(.status(200, body: #"{"error": "unknown key"}"#))
        defer { server.stop() }
        let run = try Tool.run("fetch", "--sdk-key", "1/2", "--endpoint", server.url().absoluteString)
        #expect(run.status == 2 && run.output.isEmpty && run.complaints.count == 1)
        let missing = try Tool.run("fetch")
        #expect(missing.status == 2 && missing.errors.contains("--sdk-key is missing: the project's SDK key"))
    }

    @Test func lintReadsAFetchedConfig() throws {
        let server = try TestServer(.status(200, body: Self.config))
        defer { server.stop() }
        let fetched = try Tool.run(
            "lint", "--sdk-key", "1/2", "--endpoint", server.url("/api").absoluteString, "--environment", "live")
        let read = try Tool.withFile(Self.config) { try Tool.run("lint", $0) }
        #expect(fetched.output == read.output && fetched.status == read.status && read.status < 2)
        #expect(server.requests.map(\.target) == ["/api/config/1/2?environment=live"])
    }

    @Test func diffComparesWhatIsLiveWithAFile() throws {
        let server = try TestServer(.status(200, body: Self.config))
        defer { server.stop() }
        let endpoint = server.url("/api").absoluteString
        let new = Self.config.replacing(#""key": "checkout""#, with: #""key": "cart""#)
        try Tool.withFile(new) { file in
            let run = try Tool.run("diff", "--sdk-key", "1/2", "--endpoint", endpoint, file)
            #expect(run.status == 1 && run.output.contains("checkout → cart"))
        }
        let same = try Tool.withFile(Self.config) { try Tool.run("diff", $0, "-k", "1/2", "--endpoint", endpoint) }
        #expect(same.status == 0)
    }

    @Test func theLogOfAFetchedConfigNamesIt() throws {
        let server = try TestServer(.status(200, body: Self.config))
        defer { server.stop() }
        let endpoint = server.url("/api").absoluteString
        let visitor = #"{"visitorId": "v"}"#
        let fetched = try Tool.run("assign", "--echo", "-k", "1/2", "--endpoint", endpoint, input: visitor)
        let read = try Tool.withFile(Self.config) { try Tool.run("assign", "--echo", "-c", $0, input: visitor) }
        #expect(fetched.output == read.output && read.output.contains(#""config":""#))
    }

    @Test(arguments: [
        (["lint"], "FILE is missing"), (["lint", "x", "--sdk-key", "k"], "FILE and --sdk-key exclude each other"),
        (["diff"], "OLD is missing"), (["diff", "x"], "OLD is missing"),
        (["diff", "x", "y", "--sdk-key", "k"], "OLD and --sdk-key exclude each other"),
        (["diff", "x", "y", "--endpoint", "http://a"], "--endpoint goes with --sdk-key, not with OLD"),
        (["diff", "x", "y", "--format", "csv"], "--format csv goes with --visitors"),
    ])
    func operandAndKeyAreOneConfig(arguments: [String], complaint: String) throws {
        let run = try Tool.run(arguments)
        #expect(run.status == 2 && run.complaints.count == 1 && run.errors.contains(complaint))
    }

    @Test func featuresAreListedWithTheirVariables() throws {
        try Tool.withFile(Self.config) { file in
            let run = try Tool.run("features", "--config", file, "--visitor", "v1")
            #expect(run.status == 0)
            let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.dropFirst().map { Array($0.prefix(2)) } == [["flow", "enabled"], ["other", "disabled"]])
            #expect(run.output.contains(#"{"on":true}"#))
            let uncast = try Tool.run(
                "features", "--config", file, "--visitor", "v1", "--feature", "flow", "--uncast", "--json")
            #expect(uncast.output.contains(#""variables" : {"on":"true"}"#))
        }
    }

    @Test(arguments: [
        (["--visitor", "v"], "--config is missing"),
        (["--visitor", "v", "--config", "x", "--sdk-key", "k"], "exclude each other"),
        (["--visitor", "v", "--config", "x", "--endpoint", "http://a"], "--endpoint goes with --sdk-key"),
        (["--visitor", "v", "--sdk-key", "k", "--endpoint", "nowhere"], "not an http or https URL"),
        (["--sdk-key", "k"], "--visitor is missing"),
    ])
    func badUsageEndsWithOneLine(arguments: [String], complaint: String) throws {
        for command in ["decide", "features"] {
            let run = try Tool.run([command] + arguments)
            #expect(run.status == 2 && run.complaints.count == 1)
            #expect(run.errors.contains(complaint))
        }
    }
}
