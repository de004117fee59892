/// Processes by a common property of their visitors, which is mostly the same for consecutive visitors.
struct RatioProcesses<Name: Hashable & Sendable>: Sendable {
    /// The processes, in the order of their first visitors.
    private(set) var all: [(name: Name, process: RatioProcess)] = []
    private var places: [Name: Int] = [:]
    private var last = 0

    /// The number of processes.
    var count: Int { all.count }

    /// Whether a process has this name.
    func contains(_ name: Name) -> Bool { places[name] != nil }

    /// The effect of adding a visitor.
    struct Addition {
        /// The index of the visitor's process.
        let place: Int
        /// The wealth that the process gained.
        let gain: Double
        /// Whether the process becomes a mismatch with this visitor.
        let isBreak: Bool
    }

    /// Adds a visitor to the process with the name.
    @discardableResult
    mutating func add(_ arm: Int, _ shares: [Double], to name: Name) -> Addition {
        if last >= all.count || all[last].name != name { last = place(of: name, arms: shares.count) }
        let wealth = all[last].process.wealth
        let isBreak = all[last].process.add(arm, shares)
        return Addition(place: last, gain: all[last].process.wealth - wealth, isBreak: isBreak)
    }

    private mutating func place(of name: Name, arms: Int) -> Int {
        if let place = places[name] { return place }
        places[name] = all.count
        all.append((name, RatioProcess(arms: arms)))
        return all.count - 1
    }
}
