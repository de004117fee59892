import ConvertTestServer
import Foundation
import Testing

struct FetchingTests {
    private static let config = """
        {"account_id": "1", "project": {"id": "2"}, "features": [{"id": "5", "key": "flow", "variables": [{"key": "on",
        "type": "boolean"}]}, {"id": "6", "key": "other"}], "experiences": [{"id": "9", "key": "checkout", "version": 11,
        "variations": [{"id": "91", "key": "original", "changes": [{"type": "fullStackFeature", "data": {"feature_id": "5",
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

    @Test func whatCannotBeFetchedEndsWithOneLine() throws {
        let server = try TestServer(.status(404))
        defer { server.stop() }
        let run = try Tool.run(
            "decide", "--sdk-key", "1/2", "--endpoint", server.url().absoluteString, "--visitor", "v1")
        #expect(run.status == 2 && run.complaints.count == 1)
        #expect(run.errors.contains("404"))
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
            #expect(uncast.output.contains(#""on" : "true""#))
        }
    }

    @Test(arguments: [
        (["--visitor", "v"], "--config is missing"),
        (["--visitor", "v", "--config", "x", "--sdk-key", "k"], "exclude each other"),
        (["--visitor", "v", "--config", "x", "--endpoint", "http://a"], "--endpoint goes with --sdk-key"),
        (["--visitor", "v", "--sdk-key", "k", "--endpoint", "nowhere"], "no http or https URL"),
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
