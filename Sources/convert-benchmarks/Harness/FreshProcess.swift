import Foundation

/// Runs a workload in its own process: cold starts and memory use can only be measured in a fresh process.
enum FreshProcess {
    /// The option with which this executable starts itself as a child process.
    static let option = "--sample"

    static func sample(of workload: Workload, inputs: Inputs) throws -> Sample {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        if !FileManager.default.fileExists(atPath: "/proc/self/exe") {
            child.executableURL = Bundle.main.executableURL
        }
        child.arguments = [option, workload.id, "--inputs", inputs.directory.path]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        child.waitUntilExit()
        guard child.terminationStatus == 0 else {
            throw BenchmarkFailure(description: "\(workload.id): its process ended with \(child.terminationStatus)")
        }
        return try JSONDecoder().decode(Sample.self, from: data)
    }

    /// Runs in the child process: measures once and prints the sample.
    static func serve(_ workload: Workload, inputs: Inputs) throws {
        guard case .freshProcess(_, let measure) = workload.runner else {
            throw BenchmarkFailure(description: "\(workload.id) needs no fresh process")
        }
        let sample = try measure(inputs)
        FileHandle.standardOutput.write(try JSONEncoder().encode(sample))
    }
}
