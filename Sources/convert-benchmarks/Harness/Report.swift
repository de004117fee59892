import Foundation

/// Prints what was measured.
struct Report {
    let peers: Peers
    /// How much slower this machine is than the one that recorded the peers.
    let scale: Double

    init(peers: Peers, yardstick: [Sample]) {
        self.peers = peers
        scale = yardstick.median / Yardstick.reference
    }

    static func json(_ workload: Workload, _ sample: Sample) -> String {
        let amount =
            switch workload.unit {
            case .nanoseconds: "\"ns\":\(figure(sample.value)),\"cpu\":\(figure(sample.processorTime))"
            case .bytes: "\"bytes\":\(figure(sample.value))"
            case .times, .timesMedian: "\"times\":\(figure(sample.value)),\"cpu\":\(figure(sample.processorTime))"
            }
        let details = sample.details.sorted { $0.key < $1.key }.map { ",\"\($0.key)\":\(figure($0.value))" }.joined()
        return "{\"w\":\"\(workload.id)\",\"peer\":\"convert-swift\",\(amount),\"other\":\(figure(sample.others)),"
            + "\"n\":\(sample.operations),\"check\":\"\(sample.check)\"\(details)}"
    }

    static let header = row([
        "workload", "median", "min", "scale", "JavaScript", "ratio", "best peer", "ratio", "floor", "ratio", "goal", "",
    ])

    static func listing(_ workload: Workload) -> String {
        workload.id + String(repeating: " ", count: max(1, 10 - workload.id.count)) + workload.summary
    }

    /// One workload's line. Times of peers and goals are scaled to this machine; nothing else depends on its speed.
    func line(_ workload: Workload, _ samples: [Sample]) -> String {
        let samples = samples.undisturbed
        let scale = workload.unit == .nanoseconds ? self.scale : 1
        let median = samples.median
        var cells = [workload.id, text(median, workload.unit), text(samples.least, workload.unit)]
        cells.append(workload.unit == .nanoseconds ? "× " + rounded(scale) : "")
        for peer in [peers.javaScript(workload.id), peers.best(workload.id), peers.floor(workload.id)] {
            let scaled = peer.map { $0 * scale }
            cells.append(scaled.map { text($0, workload.unit) } ?? "")
            cells.append(scaled.map { ratio($0 / median) } ?? "")
        }
        if let goal = workload.goal {
            let isReached = workload.unit == .times ? median >= goal : median <= goal * scale
            cells.append((workload.unit == .times ? "≥ " : "≤ ") + text(goal * scale, workload.unit))
            cells.append(isReached ? "reached" : "missed")
        }
        return Self.row(cells)
    }

    private static func row(_ cells: [String]) -> String {
        let widths = [10, 10, 10, 8, 11, 8, 10, 8, 10, 8, 11, 7]
        var line = ""
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            let padding = String(repeating: " ", count: max(0, width - cell.count))
            line += index == 0 ? cell + padding : padding + cell
            line += " "
        }
        return line
    }

    private func text(_ value: Double, _ unit: Workload.Unit) -> String {
        switch unit {
        case .nanoseconds:
            value < 1e3
                ? "\(rounded(value)) ns" : value < 1e6 ? "\(rounded(value / 1e3)) µs" : "\(rounded(value / 1e6)) ms"
        case .bytes: "\(rounded(value / 1e6)) MB"
        case .times, .timesMedian: "\(rounded(value)) ×"
        }
    }

    private func ratio(_ value: Double) -> String { "\(rounded(value))×" }

    private func rounded(_ value: Double) -> String {
        String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
    }

    private static func figure(_ value: Double) -> String { String(format: value >= 10_000 ? "%.0f" : "%.4g", value) }
}
