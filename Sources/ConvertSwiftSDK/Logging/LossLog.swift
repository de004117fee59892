import ConvertConcurrency

/// Sums up losses by cause. The first loss is logged at once; later ones are logged together at intervals, with the
/// total.
final class LossLog: Sendable {
    /// The interval at which further losses are logged.
    static let interval = Duration.seconds(60)

    /// A kind of loss, with its reason and remedy in a sentence or two, without the number.
    struct Loss: Sendable, Hashable {
        let cause: Diagnostics.Cause
        let level: ConvertLogLevel
        let message: String
    }

    private struct Sum {
        var total = 0
        var logged = 0
        /// Waits until the next sum is due; `nil` if there was no loss since the last one.
        var timer: Task<Void, Never>?
    }

    private let log: @Sendable (Loss, _ total: Int) -> Void
    private let time: any TimeSource
    private let sums = Mutex<[Loss: Sum]>([:])

    init(time: any TimeSource, log: @escaping @Sendable (Loss, _ total: Int) -> Void) {
        self.time = time
        self.log = log
    }

    /// Counts `count` further losses.
    func add(_ count: Int, of loss: Loss) {
        let total = sums.withLock { sums -> Int? in
            sums[loss, default: Sum()].total += count
            return due(&sums, loss)
        }
        if let total { log(loss, total) }
    }

    /// Logs the losses that have not been logged yet.
    func logRest() {
        let rest = sums.withLock { sums in
            let rest = sums.filter { $0.value.total > $0.value.logged }
            for (loss, sum) in sums {
                sum.timer?.cancel()
                sums[loss] = Sum(total: sum.total, logged: sum.total)
            }
            return rest
        }
        for (loss, sum) in rest { log(loss, sum.total) }
    }

    /// The total to log now; `nil` if there is nothing new, or the interval since the last one has not ended. Begins
    /// the next interval.
    private func due(_ sums: inout [Loss: Sum], _ loss: Loss) -> Int? {
        guard let sum = sums[loss], sum.timer == nil, sum.total > sum.logged else { return nil }
        let end = time.now + Self.interval
        let timer = Task { [weak self, time] in
            guard (try? await time.sleep(until: end)) != nil else { return }
            self?.intervalEnded(of: loss)
        }
        sums[loss] = Sum(total: sum.total, logged: sum.total, timer: timer)
        return sum.total
    }

    private func intervalEnded(of loss: Loss) {
        let total = sums.withLock { sums -> Int? in
            sums[loss]?.timer = nil
            return due(&sums, loss)
        }
        if let total { log(loss, total) }
    }
}
