/// Processes by what their visitors have in common, which mostly is the same from one visitor to the next.
struct RatioProcesses<Name: Hashable & Sendable>: Sendable {
    /// The processes, in the order in which they came.
    private(set) var all: [(name: Name, process: RatioProcess)] = []
    private var places: [Name: Int] = [:]
    private var last = 0

    /// How many there are.
    var count: Int { all.count }

    /// Whether one is named so.
    func contains(_ name: Name) -> Bool { places[name] != nil }

    /// What a visitor changed.
    struct Addition {
        /// The place of the process that the visitor was added to.
        let place: Int
        /// What that process won by the visitor.
        let gain: Double
        /// Whether the visitor makes it a mismatch.
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
