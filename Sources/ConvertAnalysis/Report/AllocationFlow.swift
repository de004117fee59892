internal import ConvertSwiftSDKCore

/// A drawing of visitors who move between an experience's old and new variations, as bands between two bars.
struct AllocationFlow {
    /// A share of visitors who move between two positions on the bars.
    private struct Band {
        let from: Range<Double>
        let to: Range<Double>
        let color: Int
    }

    private let bands: [Band]

    /// Creates the flow between the shares of two bars, of which `moves` change the variation; `nil` if a move names a
    /// variation that a bar does not contain.
    init?(
        _ before: [(name: String, share: Double)], _ after: [(name: String, share: Double)],
        moves: [ConfigDifference.Move]
    ) {
        // The last part of a bar stands for visitors without a variation.
        let (old, new) = (before + [(name: "", share: 1 - before.total)], after + [(name: "", share: 1 - after.total)])
        var shares = old.map { _ in new.map { _ in 0.0 } }
        for move in moves {
            guard let from = old.place(of: move.from), let to = new.place(of: move.to) else { return nil }
            shares[from][to] += move.share
        }
        for (from, part) in old.enumerated() {
            let rest = part.share - shares[from].reduce(0, +)
            guard rest > Self.smallest else { continue }
            guard let to = new.place(of: from == old.count - 1 ? nil : part.name) else { return nil }
            shares[from][to] += rest
        }
        var ends = new.indices.map { new[..<$0].total }
        var bands: [Band] = []
        for from in old.indices {
            var start = old[..<from].total
            for to in new.indices where shares[from][to] > Self.smallest {
                let share = shares[from][to]
                bands.append(
                    Band(
                        from: start..<start + share, to: ends[to]..<ends[to] + share,
                        color: from == old.count - 1 ? 5 : from % 6))
                start += share
                ends[to] += share
            }
        }
        self.bands = bands
    }

    /// Smaller shares are only rounding errors.
    private static let smallest = 1e-6

    /// The bands, as wide as the parts of the bars that they connect. The tables next to the drawing contain the same
    /// numbers.
    var html: HTML {
        let paths = bands.map { band -> HTML in
            let (a, b) = (Self.percent(band.from.lowerBound), Self.percent(band.from.upperBound))
            let (c, d) = (Self.percent(band.to.lowerBound), Self.percent(band.to.upperBound))
            return """
                <path class="f\(band.color)" d="M\(a) 0C\(a) 20 \(c) 20 \(c) 40L\(d) 40C\(d) 20 \(b) 20 \(b) 0Z"/>
                """
        }
        return """
            <svg class="flow" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" \
            aria-label="Which visitors keep their variation and which move">\(HTML(paths))</svg>
            """
    }

    private static func percent(_ share: Double) -> String { HTMLPage.fixed(share * 100) }
}

extension Collection<(name: String, share: Double)> {
    fileprivate var total: Double { reduce(0) { $0 + $1.share } }
}

extension [(name: String, share: Double)] {
    /// The index of a variation; `nil` stands for the last part.
    fileprivate func place(of name: String?) -> Int? {
        guard let name else { return count - 1 }
        return dropLast().firstIndex { $0.name == name }
    }
}
