import Foundation

/// What memory the process holds, in bytes.
struct MemoryReading {
    let resident: Int
    /// The part of it that is no file's.
    let anonymous: Int
    let peak: Int

    /// Reads `/proc/self/status`; fails where there is none.
    static func now() throws -> MemoryReading {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let resident = kibibytes("VmRSS:", in: status), let anonymous = kibibytes("RssAnon:", in: status),
            let peak = kibibytes("VmHWM:", in: status)
        else { throw BenchmarkFailure(description: "memory is measured on Linux only: no /proc/self/status") }
        return MemoryReading(resident: resident * 1024, anonymous: anonymous * 1024, peak: peak * 1024)
    }

    /// Hands what the allocator keeps for later back to the system.
    static func releaseFreeMemory() {
        // The C library's module does not export its own extension, and other C libraries have none.
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }

    private static func kibibytes(_ name: String, in status: String) -> Int? {
        status.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
}
