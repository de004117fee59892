import ConvertECMAScript

/// What other engines needed for the same work, as recorded.
struct Peers {
    private let recorded: JSObject

    init(_ inputs: Inputs) throws { recorded = try inputs.json("peers.json").objectValue ?? JSObject() }

    private func figures(of workload: String) -> JSObject {
        // The middle of the growth series is the workload itself.
        recorded[workload == "G2-100" ? "W2" : workload]?.objectValue ?? JSObject()
    }

    /// The JavaScript SDK, whose decisions ours equal.
    func javaScript(_ workload: String) -> Double? { figures(of: workload)["convert-js"]?.numberValue }

    /// The fastest engine.
    func best(_ workload: String) -> Double? {
        figures(of: workload).filter { !$0.key.name.hasPrefix("limit-") }.compactMap(\.value.numberValue).min()
    }

    /// Straight C code that does only the work.
    func floor(_ workload: String) -> Double? {
        let figures = figures(of: workload)
        return (figures["limit-c"] ?? figures["limit-c-concat"])?.numberValue
    }
}
