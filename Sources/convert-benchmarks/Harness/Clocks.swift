import Foundation

/// The wall time, the processor time of this process, and the busy time of all processors of the machine, all in
/// nanoseconds.
struct ClockReading {
    let wall: Double
    let process: Double
    let machine: Double?

    static func now() -> ClockReading {
        ClockReading(
            wall: read(CLOCK_MONOTONIC), process: read(CLOCK_PROCESS_CPUTIME_ID), machine: busyMachineTime())
    }

    /// The time since `start`, per operation.
    func sample(since start: ClockReading, operations: Int, check: String) -> Sample {
        let wall = wall - start.wall
        let process = process - start.process
        var others = 0.0
        if let now = machine, let then = start.machine, wall > 0 { others = max(0, (now - then - process) / wall) }
        return Sample(
            value: wall / Double(operations), processorTime: process / Double(operations), others: others,
            operations: operations, check: check)
    }

    /// The processor time of the calling thread, in nanoseconds.
    static var threadTime: Double { read(CLOCK_THREAD_CPUTIME_ID) }

    static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        // Safe: the calls in this file write only to the local variables, within the given lengths.
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// The busy time of all processors since boot, in nanoseconds, or `nil` on systems without `/proc/stat` (which
    /// counts hundredths of a second).
    private static func busyMachineTime() -> Double? {
        guard let file = unsafe fopen("/proc/stat", "r") else { return nil }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard unsafe fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // cpu user nice system idle iowait irq softirq steal
        let fields = text.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { Double($0) }
        guard fields.count >= 8 else { return nil }
        return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6] + fields[7]) * 1e7
    }
}
