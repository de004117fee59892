import Foundation

/// Runs seeds in processes of their own, a hundred in each, several processes at once.
///
/// A process in which a seed crashes or stands still ends, and another one goes on behind that seed.
final class Workers: @unchecked Sendable {
    // Sendable: `lock` guards what changes.
    private static let seedsPerProcess = 100

    /// Where elements lie in sets and dictionaries depends on it.
    private static let variables = ["SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no"]

    let options: Options
    private let lock = NSLock()
    private var next: Int
    private var passed = 0
    private var failed: [SeedRun.Line] = []
    private var isStopped = false
    private let start = Date()

    init(_ options: Options) {
        self.options = options
        next = options.seeds.lowerBound
    }

    /// Runs all seeds. Returns those that failed, in order.
    func run(_ each: @escaping @Sendable (SeedRun.Line) -> Void) -> (passed: Int, failed: [SeedRun.Line]) {
        DispatchQueue.concurrentPerform(iterations: options.workers) { _ in
            while let seeds = take() { run(seeds, each) }
        }
        return (passed, failed.sorted { $0.seed < $1.seed })
    }

    private func take() -> ClosedRange<Int>? {
        lock.lock()
        defer { lock.unlock() }
        let isLate =
            options.minutes.map { Date().timeIntervalSince(start) > 60 * $0 } ?? (next > options.seeds.upperBound)
        if isStopped || isLate { return nil }
        let last = next + Self.seedsPerProcess - 1
        let seeds = next...(options.minutes == nil ? min(last, options.seeds.upperBound) : last)
        next = seeds.upperBound + 1
        return seeds
    }

    private func run(_ seeds: ClosedRange<Int>, _ each: (SeedRun.Line) -> Void) {
        var rest = seeds
        while true {
            let (lines, end) = Self.lines(of: options, rest)
            for line in lines { note(line, each) }
            let last = lines.last?.seed ?? rest.lowerBound - 1
            if last >= seeds.upperBound { return }
            note(SeedRun.Line(seed: last + 1, digest: "", failure: "the process ended: \(end)"), each)
            if last + 1 >= seeds.upperBound { return }
            rest = (last + 2)...seeds.upperBound
        }
    }

    private func note(_ line: SeedRun.Line, _ each: (SeedRun.Line) -> Void) {
        lock.lock()
        defer { lock.unlock() }
        if isStopped { return }
        if line.failure == nil { passed += 1 } else { failed.append(line) }
        if options.stopsAtFailure, line.failure != nil { isStopped = true }
        each(line)
    }

    /// Begins this process anew, unless it is one in which a seed does what it does in a worker.
    static func becomeWorker() {
        let environment = ProcessInfo.processInfo.environment
        if variables.allSatisfy({ environment[$0.key] == $0.value }) { return }
        for (name, value) in variables { setenv(name, value, 1) }
        execv("/proc/self/exe", CommandLine.unsafeArgv)
    }

    /// What a process that ran `seeds` printed, and how it ended.
    static func lines(
        of options: Options, _ seeds: ClosedRange<Int>, without: Set<Int>? = nil
    ) -> (lines: [SeedRun.Line], end: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = options.arguments(for: seeds, without: without) + ["--worker"]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let output = Pipe()
        process.standardOutput = output
        do { try process.run() } catch { return ([], "\(error)") }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let reason = process.terminationReason == .exit ? "status" : "signal"
        return (
            text.split(separator: "\n").compactMap { SeedRun.Line($0) }, "\(reason) \(process.terminationStatus)"
        )
    }
}
