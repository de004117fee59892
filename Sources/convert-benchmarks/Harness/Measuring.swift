import Foundation

/// Repeats a workload until its figures are reliable.
struct Measuring {
    let inputs: Inputs
    /// The number of repetitions, without a warm-up. If it is `nil`, the number depends on the workload.
    var repetitions: Int?

    /// The total time in nanoseconds for which a workload is repeated, between the two limits for the repetitions.
    private static let nominalTime = 1.0e9
    private static let warmUpTime = 0.5e9
    private static let warmUpRuns = 10
    private static let leastRepetitions = 5
    private static let mostRepetitions = 40

    /// Measures the repetitions of `workload`. Throws if a repetition's answer is wrong.
    func samples(of workload: Workload) throws -> [Sample] {
        let samples: [Sample] =
            switch workload.runner {
            case .timed(let operations, let prepare):
                try timed(prepare(inputs), operations: operations)
            case .freshProcess(let repetitions, _):
                try (0..<(self.repetitions ?? repetitions)).map { _ in
                    try FreshProcess.sample(of: workload, inputs: inputs)
                }
            case .custom(let repetitions, let prepare):
                try repeated(prepare(inputs), self.repetitions ?? repetitions)
            }
        for sample in samples where sample.check != workload.expected {
            throw BenchmarkFailure(
                description: "\(workload.id): the check is \(sample.check), expected \(workload.expected)")
        }
        return samples
    }

    private func timed(_ run: () throws -> String, operations: Int) throws -> [Sample] {
        if let repetitions {
            return try (0..<repetitions).map { _ in try sample(run, operations: operations) }
        }
        let start = ClockReading.read(CLOCK_MONOTONIC)
        var runs = 0
        repeat {
            _ = try run()
            runs += 1
        } while ClockReading.read(CLOCK_MONOTONIC) - start < Self.warmUpTime
            || (runs < Self.warmUpRuns && operations == 1)
        let warm = ClockReading.read(CLOCK_MONOTONIC)
        var samples: [Sample] = []
        while samples.count < Self.leastRepetitions
            || (samples.count < Self.mostRepetitions
                && ClockReading.read(CLOCK_MONOTONIC) - warm < Self.nominalTime)
        {
            samples.append(try sample(run, operations: operations))
        }
        return samples
    }

    private func sample(_ run: () throws -> String, operations: Int) throws -> Sample {
        let before = ClockReading.now()
        let check = try run()
        return ClockReading.now().sample(since: before, operations: operations, check: check)
    }

    private func repeated(_ measure: () throws -> Sample, _ repetitions: Int) throws -> [Sample] {
        if self.repetitions == nil { _ = try measure() }
        return try (0..<repetitions).map { _ in try measure() }
    }
}

extension [Sample] {
    /// The samples measured while other processes used little of the machine, or all samples if fewer than five are
    /// left.
    var undisturbed: [Sample] { isDisturbed ? self : quiet }

    /// Whether fewer than five samples were measured while other processes used little of the machine.
    var isDisturbed: Bool { quiet.count < 5 }

    private var quiet: [Sample] { filter { $0.others <= 0.35 } }
}
