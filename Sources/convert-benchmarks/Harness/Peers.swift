import ConvertECMAScript

/// The recorded times of other engines for the same work.
struct Peers {
    private let recorded: JSObject

    init(_ inputs: Inputs) throws { recorded = try inputs.json("peers.json").objectValue ?? JSObject() }

    private func figures(of workload: String) -> JSObject {
        // The middle of the growth series is W2 itself.
        recorded[workload == "G2-100" ? "W2" : workload]?.objectValue ?? JSObject()
    }

    /// The time of the JavaScript SDK, which makes the same decisions.
    func javaScript(_ workload: String) -> Double? { figures(of: workload)["convert-js"]?.numberValue }

    /// The time of the fastest engine.
    func best(_ workload: String) -> Double? {
        figures(of: workload).filter { !$0.key.name.hasPrefix("limit-") }.compactMap(\.value.numberValue).min()
    }

    /// The time of plain C code that does only the necessary work.
    func floor(_ workload: String) -> Double? {
        let figures = figures(of: workload)
        return (figures["limit-c"] ?? figures["limit-c-concat"])?.numberValue
    }
}
