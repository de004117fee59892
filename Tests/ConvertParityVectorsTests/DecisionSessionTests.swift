import ConvertTestSupport
import ConvertParityVectors
import Testing

struct DecisionSessionTests {
    private static let config = #"{"account_id": "1", "project": {"id": "2"}}"#

    /// The lines about a session of `members` in the file `a.json`, beside a config file.
    private func report(_ members: String) async throws -> [String] {
        let file = #"{"kind": "decisions", "cases": [{\#(members)}]}"#
        return try await withTemporaryFolder(["vectors/a.json": file, "config.txt": Self.config]) { folder in
            var lines: [String] = []
            _ = await VectorRunner { lines.append($0.replacing(folder + "/vectors/", with: "")) }.run(paths: [folder])
            return lines
        }
    }

    @Test func anUnknownCallIsAFailureAtItsStep() async throws {
        let lines = try await report(
            #""name": "s", "config": \#(Self.config), "steps": [{"call": "guess", "visitor": "v", "expect": 1}]"#)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(#"a.json[0] "s""#) == true)
        #expect(lines.first?.contains("step 0 (guess): the call 'guess' is not supported") == true)
    }

    @Test func aMismatchNamesItsStep() async throws {
        let lines = try await report(
            #""config": \#(Self.config), "steps": [{"call": "events", "expect": []}, {"call": "events", "expect": 1}]"#)
        #expect(lines == ["a.json[0], step 1 (events): expected 1, got []"])
    }

    @Test func aStepWithoutVisitorIsAFailure() async throws {
        let lines = try await report(#""config": \#(Self.config), "steps": [{"call": "runExperiences", "expect": []}]"#)
        #expect(lines.first?.contains("step 0 (runExperiences) names no visitor") == true)
    }

    @Test func aConfigFileIsReadRelativeToTheVectorFile() async throws {
        #expect(
            try await report(
                #""configFile": "../config.txt", "steps": [{"call": "runExperiences", "visitor": "v", "expect": []}]"#)
                == [])
    }

    @Test(arguments: ["", #""configFile": "nowhere.txt", "#]) func aMissingConfigIsAFailure(config: String) async throws
    {
        #expect(try await report(config + #""steps": []"#).count == 1)
    }

    @Test func aConfigWithoutAccountIsAMalformedCase() async throws {
        let lines = try await report(#""config": {}, "steps": []"#)
        #expect(lines.first?.contains("$.account_id") == true)
    }
}
