import Foundation

/// The memory of this process, in bytes.
struct MemoryReading {
    let resident: Int
    /// The resident memory that is not mapped from files.
    let anonymous: Int
    let peak: Int

    /// Reads `/proc/self/smaps_rollup`, which counts pages exactly. The resident size in `/proc/self/status` is off by
    /// some hundred thousand bytes. Throws on systems without these files.
    static func now() throws -> MemoryReading {
        guard let pages = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8),
            let resident = kibibytes("Rss:", in: pages), let anonymous = kibibytes("Anonymous:", in: pages),
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let peak = kibibytes("VmHWM:", in: status)
        else { throw BenchmarkFailure(description: "memory is measured on Linux only: no /proc/self/smaps_rollup") }
        return MemoryReading(resident: resident * 1024, anonymous: anonymous * 1024, peak: peak * 1024)
    }

    /// Returns the allocator's free memory to the system, where the C library can.
    static func releaseFreeMemory() {
        // `malloc_trim` is an extension of glibc, whose module does not export it. Safe: its type is `int (size_t)`.
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
    }

    private static func kibibytes(_ name: String, in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
}
