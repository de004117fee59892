import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

/// Every reader of JSON names the format of a document that is not JSON.
struct ForeignInputTests {
    private static let inputs: [(bytes: Data, name: String)] = [
        (Gzip.compress(Data(DecideCommandTests.config.utf8)), "gzip-compressed; decompress it first with gunzip"),
        (DecideCommandTests.config.data(using: .utf16LittleEndian) ?? Data(), "UTF-16 text; save it as UTF-8"),
        (Data("<!doctype html><title>Sign in</title>\n".utf8), "an HTML page"),
        (Data("PAR1\u{15}\u{4}\u{15}".utf8), "a Parquet file"), (Data("%PDF-1.7\n".utf8), "a PDF document"),
        (Data("visitorId,plan\nv,pro\n".utf8), "CSV"),
    ]

    /// Command lines that read FILE, and whatever else they need.
    private static let readers: [[String]] = [
        ["lint", "FILE"], ["decide", "--visitor", "v", "--config", "FILE"], ["diff", "CONFIG", "FILE"],
        ["decide", "--visitor", "v", "--config", "CONFIG", "--attributes", "FILE"],
        ["decide", "--visitor", "v", "--config", "CONFIG", "--stored", "FILE"],
        ["assign", "--config", "CONFIG", "--input", "FILE"], ["simulate", "--config", "CONFIG", "--visitors", "FILE"],
        ["diff", "CONFIG", "CONFIG", "--visitors", "FILE"], ["replay", "--config", "CONFIG", "FILE"],
        ["replay", "--config", "FILE", "CONFIG"], ["rules", "FILE", "--event", #"{"type": "t", "source": "s"}"#],
        ["rules", "RULES", "--event", "FILE"],
        ["srm", "--config", "CONFIG", "--experience", "checkout", "--counts", "FILE"],
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "config.json": DecideCommandTests.config, "rules.json": #"{"version": 1, "rules": []}"#,
        ])
        for (index, input) in Self.inputs.enumerated() { try input.bytes.write(to: folder.file("\(index).json")) }
    }

    private func run(_ line: [String], _ index: Int) throws -> Tool.Run {
        let places = ["FILE": "\(index).json", "CONFIG": "config.json", "RULES": "rules.json"]
        return try Tool.run(line.map { word in places[word].map { folder.file($0).path } ?? word })
    }

    /// The first reader with every input, each other one with one of them; all pairs with CONVERT_CASES=2.
    private static let pairs: [(Int, Int)] = {
        let all = readers.indices.flatMap { reader in inputs.indices.map { input in (reader, input) } }
        return all.filter { reader, input in reader == 0 || input == reader % inputs.count || caseCount(1) > 1 }
    }()

    @Test(arguments: pairs) func theFormatIsNamedOnce(reader: Int, index: Int) throws {
        let line = Self.readers[reader]
        let run = try run(line, index)
        #expect(run.status == 2 && run.output.isEmpty && run.complaints.count == 1)
        #expect(run.errors.contains(Self.inputs[index].name), "\(run.errors)")
    }

    @Test(arguments: inputs.indices) func vectorsNameItToo(index: Int) throws {
        let run = try run(["vectors", "FILE"], index)
        #expect(run.status == 1 && run.output.contains("it is \(Self.inputs[index].name)"))
    }

    @Test(arguments: inputs.indices.dropLast()) func aFileThatIsNoCSVIsNamed(index: Int) throws {
        let run = try run(["assign", "--config", "CONFIG", "--format", "csv", "--input", "FILE"], index)
        #expect(run.status == 2 && run.errors.contains(Self.inputs[index].name))
    }

    @Test func aFetchedConfigIsNamed() throws {
        let server = try TestServer(.status(200, body: Self.inputs[0].bytes))
        defer { server.stop() }
        let run = try Tool.run("lint", "--sdk-key", "1/2", "--endpoint", server.url().absoluteString)
        #expect(run.status == 2 && run.errors.contains(Self.inputs[0].name))
    }

    @Test func aLineThatIsNoVisitorStaysALine() throws {
        let lines = "a, b\n" + #"{"visitorId": "v"}"# + "\n"
        let run = try Tool.run("assign", "--config", folder.file("config.json").path, input: lines)
        #expect(run.status == 1 && run.output.split(separator: "\n").count == 2)
    }
}
