/// Something to measure: how to run it, what it must answer, and what it should cost.
struct Workload: Sendable {
    /// What the figures count.
    enum Unit: Sendable {
        case nanoseconds, bytes
        /// Nanoseconds of which each operation is a byte, printed as megabytes a second.
        case nanosecondsPerByte
        /// How many times faster; more is better.
        case times
        /// How many times what a control run takes; less is better.
        case timesControl

        /// Whether it depends on how fast the machine is.
        var isTime: Bool { self == .nanoseconds || self == .nanosecondsPerByte }
    }

    /// How the workload is run.
    enum Runner: Sendable {
        /// Runs in this process: prepares its inputs, then is timed again and again.
        case timed(operations: Int, prepare: @Sendable (Inputs) throws -> () throws -> String)
        /// Runs once in a fresh process for each repetition.
        case freshProcess(repetitions: Int, measure: @Sendable (Inputs) throws -> Sample)
        /// Measures by itself, once per repetition.
        case custom(repetitions: Int, prepare: @Sendable (Inputs) throws -> () throws -> Sample)
    }

    let id: String
    /// What one operation is.
    let summary: String
    var unit = Unit.nanoseconds
    /// What the figure should reach where the yardstick takes ``Yardstick/reference``; `nil` if nothing is asked. The
    /// figure is the lower quartile of processor time, of what is not counted in nanoseconds the median.
    var goal: Double?
    /// The check of every repetition.
    let expected: String
    let runner: Runner
}

/// One repetition.
struct Sample: Sendable, Codable {
    /// Per operation, in the workload's unit.
    var value: Double
    /// Processor time of this process per operation, in nanoseconds.
    var processorTime = 0.0
    /// Processors that others kept busy.
    var others = 0.0
    var operations = 1
    /// What the work came to.
    var check: String
    /// Further figures, printed in JSON only.
    var details: [String: Double] = [:]
}

/// Why a run fails.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
