import Foundation

/// What other engines needed for the same work, as recorded.
struct Peers {
    private let recorded: [String: [String: Double]]

    init(_ inputs: Inputs) throws {
        recorded = try JSONDecoder().decode([String: [String: Double]].self, from: inputs.data("peers.json"))
    }

    private func figures(of workload: String) -> [String: Double] {
        // The middle of the growth series is the workload itself.
        recorded[workload == "G2-100" ? "W2" : workload] ?? [:]
    }

    /// The JavaScript SDK, whose decisions ours equal.
    func javaScript(_ workload: String) -> Double? { figures(of: workload)["convert-js"] }

    /// The fastest engine.
    func best(_ workload: String) -> Double? {
        figures(of: workload).filter { !$0.key.hasPrefix("limit-") }.values.min()
    }

    /// Straight C code that does only the work.
    func floor(_ workload: String) -> Double? {
        let figures = figures(of: workload)
        return figures["limit-c"] ?? figures["limit-c-concat"]
    }
}
