import ConvertTestSupport
import Foundation

/// A running `ConvertStoreProbe`.
///
/// What it prints is waited for on threads of its own: all tests share a few, and some have a time limit.
final class Probe {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// What was read after the last whole line.
    private var rest = Data()

    /// - Parameter standardError: where its complaints go; `nil` sends them where this process' own go.
    init(_ arguments: String..., standardError: FileHandle? = nil) throws {
        process.executableURL = BuiltProduct.executable("ConvertStoreProbe")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        if let standardError { process.standardError = standardError }
        try process.run()
    }

    /// What it prints until it ends.
    func wholeOutput() async -> String {
        let handle = output.fileHandleForReading
        let data = await Self.read { handle.readDataToEndOfFile() }
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// What each of `probes` prints until it ends.
    static func wholeOutputs(_ probes: [Probe]) async -> [String] {
        var outputs: [String] = []
        for probe in probes { outputs.append(await probe.wholeOutput()) }
        return outputs
    }

    /// The first lines that it prints, at least `count` of them; fewer if it ends before.
    func lines(_ count: Int) async -> [Substring] {
        let handle = output.fileHandleForReading
        let data = await Self.read { [rest] in
            var data = rest
            while data.count(where: { $0 == UInt8(ascii: "\n") }) < count {
                let part = handle.availableData
                if part.isEmpty { break }
                data += part
            }
            return data
        }
        return wholeLines(data)
    }

    /// Ends it as `kill -9` does, and returns the lines that it printed since they were last asked for.
    func kill() -> [Substring] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        let data = rest + output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return wholeLines(data)
    }

    /// Ends its standard input and waits for its end.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private static func read(_ body: @escaping @Sendable () -> Data) async -> Data {
        (try? await aside(body)) ?? Data()
    }

    private func wholeLines(_ data: Data) -> [Substring] {
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        rest = Data((lines.last ?? "").utf8)
        return lines.dropLast()
    }
}
