#if os(Linux)
import ConvertTestSupport
import Foundation
import Testing

struct SimulationTests {
    /// `.ci/run` runs three thousand in release mode, and the kept seeds. Fifteen with CONVERT_CASES=5.
    @Test func everySeedPasses() async throws {
        let count = min(15, caseCount(3))
        let (status, output) = try await simulate("--seeds", "1..\(count)")
        #expect(output.hasSuffix("\(count) passed, 0 failed\n"), "\(output)")
        #expect(status == 0)
    }

    /// `.ci/run` runs fifty in release mode. Four with CONVERT_CASES=4.
    @Test func aSeedDoesTheSameInAProcessOfItsOwn() async throws {
        let count = min(4, caseCount(1))
        let (status, output) = try await simulate("--determinism", "--seeds", "1..\(count)")
        #expect(output == "\(count) passed, 0 failed\n")
        #expect(status == 0)
    }

    /// Arguments that once failed, so that what they found stays found. All of them with CONVERT_CASES=20.
    @Test(arguments: try keptSeeds().prefix(caseCount(1)))
    func aKeptSeedPasses(name: String, arguments: [String]) async throws {
        let (_, output) = try await simulate(arguments)
        #expect(output.hasSuffix("1 passed, 0 failed\n"), "\(name): \(output)")
    }

    @Test func theSourcesPlantTheFaultsOfTheListAndNoOthers() async throws {
        let (_, output) = try await simulate("--list-plants")
        let listed = Set(output.split(separator: "\n").map(String.init))
        var planted: Set<String> = []
        let sources = Self.package.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            // Its documentation comment shows one.
            guard file.pathExtension == "swift", file.lastPathComponent != "PlantedFault.swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /isPlanted\("([a-z-]+)"\)/) { planted.insert(String(match.1)) }
        }
        #expect(listed == planted)
        #expect(listed.count >= 25)
    }

    @Test(arguments: [["--seeds", "9..1"], ["--plant", "none"], ["--nothing"]])
    func argumentsThatMeanNothingAreRefused(arguments: [String]) async throws {
        let (status, output) = try await simulate(arguments)
        #expect(status == 2)
        #expect(output.contains("Usage: convert-simulation"))
    }

    private func simulate(_ arguments: String...) async throws -> (status: Int32?, output: String) {
        try await simulate(arguments)
    }

    private func simulate(_ arguments: [String]) async throws -> (status: Int32?, output: String) {
        try await BuiltProduct.run("convert-simulation", arguments)
    }

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func keptSeeds() throws -> [(String, [String])] {
        let file = package.appendingPathComponent("TestVectors/simulation/kept-seeds.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let parts = line.split(separator: "\t")
            return (String(parts[0]), parts[1].split(separator: " ").map(String.init))
        }
    }
}
#endif
