import Foundation

/// What memory the process holds, in bytes.
struct MemoryReading {
    let resident: Int
    /// The part of it that is no file's.
    let anonymous: Int
    let peak: Int

    /// Reads `/proc/self/smaps_rollup`, which counts pages; the figures of `/proc/self/status` are off by some hundred
    /// thousand bytes. Throws where that file does not exist.
    static func now() throws -> MemoryReading {
        guard let pages = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8),
            let resident = kibibytes("Rss:", in: pages), let anonymous = kibibytes("Anonymous:", in: pages),
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let peak = kibibytes("VmHWM:", in: status)
        else { throw BenchmarkFailure(description: "memory is measured on Linux only: no /proc/self/smaps_rollup") }
        return MemoryReading(resident: resident * 1024, anonymous: anonymous * 1024, peak: peak * 1024)
    }

    /// Hands what the allocator keeps for later back to the system.
    static func releaseFreeMemory() {
        // The C library's module does not export its own extension, and other C libraries have none.
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
    }

    private static func kibibytes(_ name: String, in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
}
