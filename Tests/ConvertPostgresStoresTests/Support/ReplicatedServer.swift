#if Postgres
import ConvertTestSupport
import Foundation
import Testing

/// A PostgreSQL server of a test's own and its replica, which has all that is acknowledged and can take its place.
final class ReplicatedServer: Sendable {
    private let primary = "p_" + UUID().uuidString.lowercased().replacing("-", with: "")
    private var replica: String { primary + "_replica" }

    /// The connection string for whichever of the two can be written to; the replica is tried first.
    let address: String
    /// The connection string for the replica, whatever can be done there.
    let replicaAddress: String

    init() async throws {
        _ = try await ServerTool.call(["make", primary])
        do {
            _ = try await ServerTool.call(["replicate", primary, primary + "_replica"])
            address = try await ServerTool.call(["address", primary + "_replica", primary])
            replicaAddress = try await ServerTool.call(["address", primary + "_replica"])
        } catch {
            Self.remove(primary)
            throw error
        }
    }

    deinit { Self.remove(primary) }

    /// From then on the primary acknowledges nothing.
    func stopReplica() async throws { _ = try await ServerTool.call(["stop", replica, "-m", "fast"]) }

    /// Ends the primary at once, and makes the replica, which may be stopped, a server that can be written to.
    func failOver() async throws {
        _ = try await ServerTool.call(["stop", primary, "-m", "immediate"])
        _ = try await ServerTool.call(["promote", replica])
    }

    private static func remove(_ primary: String) {
        for name in [primary, primary + "_replica"] { _ = try? ServerTool.run(["remove", name]) }
    }
}

/// The program that makes and controls PostgreSQL servers.
enum ServerTool {
    private static let tool = ProcessInfo.processInfo.environment["CONVERT_POSTGRES_SERVER"]

    static func call(_ arguments: [String]) async throws -> String {
        try await aside { try run(arguments) }
    }

    static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: try #require(tool))
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(arguments): \(text)")
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
#endif
