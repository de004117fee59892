internal import Foundation

/// Estimates the day and config at which a mismatch began, from the visitors up to its detection. The evidence suffices
/// only some time after the beginning.
///
/// It is the maximum-likelihood estimate of a change point (Hinkley, "Inference about the change-point in a sequence of
/// random variables", Biometrika 1970), over visitors counted by day and config. It chooses the start after which the
/// visitors, or those of one config, fit separate shares best in comparison with the allocated ones.
struct RatioOnset: Sendable {
    /// The visitors of one day that one config decided.
    struct Cell: Sendable {
        let day: String
        let config: Int
        fileprivate var observed: [Double]
        fileprivate var expected: [Double]
    }

    private struct Name: Hashable {
        let day: String
        let config: Int
    }

    /// The maximum number of cells. Visitors of later cells are added to the last one.
    private static let mostCells = 400
    /// The bonus to the log-likelihood of a cell in which a config first appears, because releases are the most
    /// frequent cause of changes.
    private static let releaseBonus = 2.0

    private var cells: [Cell] = []
    private var places: [Name: Int] = [:]
    private var last = 0

    /// Adds a visitor with the variation `arm`, whose config allocates `shares`.
    mutating func add(_ arm: Int, _ shares: [Double], day: String, config: Int) {
        if cells.isEmpty || cells[last].config != config || cells[last].day != day {
            last = place(day, config, arms: shares.count)
        }
        cells[last].observed[arm] += 1
        for place in shares.indices { cells[last].expected[place] += shares[place] }
    }

    private mutating func place(_ day: String, _ config: Int, arms: Int) -> Int {
        let name = Name(day: day, config: config)
        if let known = places[name] { return known }
        guard cells.count < Self.mostCells else { return cells.count - 1 }
        let zeros = Array(repeating: 0.0, count: arms)
        cells.append(Cell(day: day, config: config, observed: zeros, expected: zeros))
        places[name] = cells.count - 1
        return cells.count - 1
    }

    /// The day and config at which the mismatch began; `nil` if there are no visitors.
    var start: Cell? {
        var first: [Int: Int] = [:]
        for index in cells.indices where first[cells[index].config] == nil { first[cells[index].config] = index }
        var best = (gain: -Double.infinity, place: 0)
        for only in [nil] + first.keys.sorted().map(Optional.some) {
            var observed = cells.first?.observed.map { _ in 0.0 } ?? []
            var expected = observed
            for index in cells.indices.reversed() where only == nil || cells[index].config == only {
                for arm in observed.indices {
                    observed[arm] += cells[index].observed[arm]
                    expected[arm] += cells[index].expected[arm]
                }
                let bonus = first[cells[index].config] == index ? Self.releaseBonus : 0
                let gain = Self.logLikelihoodRatio(observed, expected) + bonus
                if gain > best.gain { best = (gain, index) }
            }
        }
        return cells.isEmpty ? nil : cells[best.place]
    }

    private static func logLikelihoodRatio(_ observed: [Double], _ expected: [Double]) -> Double {
        zip(observed, expected).reduce(0) { sum, arm in arm.0 > 0 ? sum + arm.0 * log(arm.0 / arm.1) : sum }
    }
}
