import Testing

struct FeaturesCommandTests {
    /// Everybody gets the first of two arms; the second one carries a feature.
    private static let config = """
        {"account_id": "1", "project": {"id": "2"},
        "features": [{"id": "5", "key": "flow"}, {"id": "6", "key": "idle"}],
        "experiences": [{"id": "9", "key": "checkout", "version": 11, "variations": [{"id": "91", "key": "original",
        "traffic_allocation": 100}, {"id": "92", "key": "green", "traffic_allocation": 0, "changes": [
        {"type": "fullStackFeature", "data": {"feature_id": "5", "variables_data": {}}}]}]}]}
        """

    private func features(_ arguments: String...) throws -> Tool.Run {
        try Tool.withFile(Self.config) { file in
            try Tool.run(["features", "--config", file, "--visitor", "v1"] + arguments)
        }
    }

    @Test func aFeatureThatIsOffSaysWhy() throws {
        let rows = try features().output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.dropFirst().map(\.first) == ["flow", "idle"])
        #expect(rows.dropFirst().map(\.last) == ["notGiven", "notCarried"])
        let run = try features("--feature", "flow", "--json")
        #expect(run.output.contains(#""reason" : "notGiven""#))
    }

    @Test func aTreeTellsWhyForEachExperienceThatCarriesIt() throws {
        let run = try features("--explain")
        let lines = run.output.split(separator: "\n")
        #expect(lines.contains("- feature flow for v1: disabled, notGiven"))
        #expect(lines.contains("  - carried by green of"))
        #expect(lines.contains("    checkout for v1: original"))
        #expect(lines.contains("- feature idle for v1: disabled, notCarried"))
        #expect(try features("--explain", "--feature", "flow", "--json").output.contains(#""carries" : false"#))
    }

    @Test func variablesArePrintedAsTheConfigHasThem() throws {
        let variables = #"{"z":1e400,"a":-0,"n":9007199254740993,"half":"\ud800"}"#
        let config = Self.config.replacing("\"variables_data\": {}", with: "\"variables_data\": \(variables)")
        try Tool.withFile(config) { file in
            let run = try Tool.run(
                "features", "--config", file, "--visitor", "v1", "--force", "checkout=green", "--uncast", "--json")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains(#""variables" : \#(variables)"#), "\(run.output)")
        }
    }

    @Test func aFeatureWithoutAKeyIsFoundByItsID() throws {
        let config = Self.config.replacing(#""id": "5", "key": "flow""#, with: #""id": "5""#)
            .replacing(#""traffic_allocation": 0"#, with: #""traffic_allocation": 100"#)
            .replacing(#""traffic_allocation": 100}, {"#, with: #""traffic_allocation": 0}, {"#)
        try Tool.withFile(config) { file in
            let line = ["features", "--config", file, "--visitor", "v1"]
            let all = try Tool.run(line).output
            let row = try #require(all.split(separator: "\n").first { $0.hasPrefix("5 ") })
            #expect(row.contains("enabled"))
            let run = try Tool.run(line + ["--feature", "5"])
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            let found = run.output.split(separator: "\n").last
            #expect(found?.split(separator: " ") == row.split(separator: " "))
            let explained = try Tool.run(line + ["--explain"])
            #expect(explained.output.contains("\n5 "))
            #expect(try Tool.run(line + ["--feature", "undefined"]).status == 1)
        }
    }

    @Test func aKeyInTheOtherUnicodeFormIsUnknown() throws {
        let config = Self.config.replacing("flow", with: "caf\u{E9}")
        try Tool.withFile(config) { file in
            let arguments = ["features", "--config", file, "--visitor", "v1", "--feature"]
            #expect(try Tool.run(arguments + ["caf\u{E9}"]).status == 0)
            let other = try Tool.run(arguments + ["cafe\u{301}"])
            #expect(other.status == 1 && other.errors.contains("has no feature"), "\(other.errors)")
        }
    }
}
