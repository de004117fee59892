import Foundation

/// Formats the measurements.
struct Report {
    let peers: Peers
    let yardstick: YardstickReading

    static func json(_ workload: Workload, _ sample: Sample) -> String {
        let amount =
            switch workload.unit {
            case .nanoseconds, .nanosecondsPerByte:
                "\"ns\":\(figure(sample.value)),\"cpu\":\(figure(sample.processorTime))"
            case .bytes: "\"bytes\":\(figure(sample.value))"
            case .times, .timesControl: "\"times\":\(figure(sample.value)),\"cpu\":\(figure(sample.processorTime))"
            }
        let details = sample.details.sorted { $0.key < $1.key }.map { ",\"\($0.key)\":\(figure($0.value))" }.joined()
        return "{\"w\":\"\(workload.id)\",\"peer\":\"convert-swift\",\(amount),\"other\":\(figure(sample.others)),"
            + "\"n\":\(sample.operations),\"check\":\"\(sample.check)\"\(details)}"
    }

    static let header = row([
        "workload", "processor", "median", "min", "scale", "JavaScript", "ratio", "best peer", "ratio", "floor",
        "ratio",
        "goal", "",
    ])

    static func listing(_ workload: Workload) -> String {
        workload.id + String(repeating: " ", count: max(1, 18 - workload.id.count)) + workload.summary
    }

    /// The line of one workload. The peers' times and the goals are scaled to this machine if the workload measures
    /// time.
    func line(_ workload: Workload, _ samples: [Sample]) -> String {
        let doubt = samples.isDisturbed ? "?" : ""
        let samples = samples.undisturbed
        let isTime = workload.unit.isTime
        let scale = isTime ? yardstick.scale : 1
        let processorTime = samples.quietProcessorTime
        // Workloads with their own measuring code may leave the processor time at 0.
        let isProcessorTime = isTime && processorTime > 0
        let figure = isProcessorTime ? processorTime : samples.median
        var cells = [workload.id, isProcessorTime ? text(figure, workload.unit) : ""]
        cells += [text(samples.median, workload.unit) + doubt, text(samples.least, workload.unit)]
        cells.append(isTime ? "× " + rounded(scale) + (yardstick.disagrees ? "?" : "") : "")
        for peer in [peers.javaScript(workload.id), peers.best(workload.id), peers.floor(workload.id)] {
            let scaled = peer.map { $0 * scale }
            cells.append(scaled.map { text($0, workload.unit) } ?? "")
            cells.append(scaled.map { ratio($0 / figure) } ?? "")
        }
        if let goal = workload.goal {
            let isReached = workload.unit == .times ? figure >= goal : figure <= goal * scale
            let isMoreBetter = workload.unit == .times || workload.unit == .nanosecondsPerByte
            cells.append((isMoreBetter ? "≥ " : "≤ ") + text(goal * scale, workload.unit))
            cells.append(isReached ? "reached" : "missed")
        }
        return Self.row(cells)
    }

    private static func row(_ cells: [String]) -> String {
        let widths = [17, 10, 10, 10, 8, 11, 8, 10, 8, 10, 8, 11, 7]
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
        case .nanosecondsPerByte: "\(rounded(1e3 / value)) MB/s"
        case .bytes: "\(rounded(value / 1e6)) MB"
        case .times, .timesControl: "\(rounded(value)) ×"
        }
    }

    private func ratio(_ value: Double) -> String { "\(rounded(value))×" }

    private func rounded(_ value: Double) -> String {
        String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
    }

    private static func figure(_ value: Double) -> String { String(format: value >= 10_000 ? "%.0f" : "%.4g", value) }
}
