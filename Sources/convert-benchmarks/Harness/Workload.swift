/// A workload to measure: how to run it, the expected answer and the goal.
struct Workload: Sendable {
    /// The unit of the figures.
    enum Unit: Sendable {
        case nanoseconds, bytes
        /// Nanoseconds per byte, printed as megabytes per second. Each operation is a byte.
        case nanosecondsPerByte
        /// A speed as a multiple of another speed; more is better.
        case times
        /// A time as a multiple of a control run's time; less is better.
        case timesControl

        /// Whether the figures depend on the machine's speed.
        var isTime: Bool { self == .nanoseconds || self == .nanosecondsPerByte }
    }

    /// The way in which the workload is run.
    enum Runner: Sendable {
        /// Runs in this process: prepares its inputs once, then runs repeatedly while the harness measures the time.
        case timed(operations: Int, prepare: @Sendable (Inputs) throws -> () throws -> String)
        /// Runs once in a fresh process for each repetition.
        case freshProcess(repetitions: Int, measure: @Sendable (Inputs) throws -> Sample)
        /// Runs in this process with its own measuring code, once for each repetition.
        case custom(repetitions: Int, prepare: @Sendable (Inputs) throws -> () throws -> Sample)
    }

    let id: String
    /// Describes one operation.
    let summary: String
    var unit = Unit.nanoseconds
    /// The goal for the figure on a machine whose yardstick is ``Yardstick/reference``; `nil` if there is no goal. The
    /// figure is the lower quartile of the processor times, or the median of the values if the unit is not a time or no
    /// processor time was measured.
    var goal: Double?
    /// The answer that each repetition must give.
    let expected: String
    let runner: Runner
}

/// The measurement of one repetition.
struct Sample: Sendable, Codable {
    /// The figure per operation, in the workload's unit.
    var value: Double
    /// The processor time of this process per operation, in nanoseconds.
    var processorTime = 0.0
    /// The number of processors that other processes used, on average.
    var others = 0.0
    var operations = 1
    /// The answer of the work, to be compared with ``Workload/expected``.
    var check: String
    /// Further figures, printed only as JSON.
    var details: [String: Double] = [:]
}

/// The reason why a run failed.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
