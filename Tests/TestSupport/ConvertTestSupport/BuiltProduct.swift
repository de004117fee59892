package import Foundation

/// Executables of this package, as they were built with the tests.
package enum BuiltProduct {
    /// The executable of that name, which the test target has to depend on.
    package static func executable(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Runs the executable of that name until it ends.
    /// - Returns: its exit status, `nil` if a signal ended it, and what it printed.
    package static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: Int32?, output: String) {
        try await aside {
            let process = Process()
            process.executableURL = executable(name)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let printed = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let status = process.terminationReason == .exit ? process.terminationStatus : nil
            return (status, String(decoding: printed, as: UTF8.self))
        }
    }

    /// The folder that holds what was built, found beside the test bundle.
    private static var folder: URL {
        #if canImport(Darwin)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return Bundle.main.bundleURL
    }
}
