/// Processes by a common property of their visitors, which is mostly the same for consecutive visitors.
struct RatioProcesses<Name: Hashable & Sendable>: Sendable {
    /// The names, in the order of their first visitors.
    private(set) var names: [Name] = []
    /// The processes, in the same order. Together with their names they would be copied at each visitor (workload
    /// `srm`).
    private(set) var processes: [RatioProcess] = []
    private var places: [Name: Int] = [:]
    private var last = 0

    /// The effect of adding a visitor.
    struct Addition {
        /// The index of the visitor's process.
        let place: Int
        /// The effect on the process.
        let effect: RatioProcess.Addition
    }

    /// The number of processes.
    var count: Int { names.count }

    /// Whether a process has this name.
    func contains(_ name: Name) -> Bool { places[name] != nil }

    /// Adds a visitor to the process with the name.
    @discardableResult
    mutating func add(_ arm: Int, _ shares: [Double], to name: Name) -> Addition {
        if last >= names.count || names[last] != name { last = place(of: name, arms: shares.count) }
        return Addition(place: last, effect: processes[last].add(arm, shares))
    }

    private mutating func place(of name: Name, arms: Int) -> Int {
        if let place = places[name] { return place }
        places[name] = names.count
        names.append(name)
        processes.append(RatioProcess(arms: arms))
        return names.count - 1
    }
}
