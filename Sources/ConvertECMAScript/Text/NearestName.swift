extension Sequence<String> {
    /// The name in this sequence that is most similar to `name`; `nil` if no name is similar. `name` must not be in the
    /// sequence.
    ///
    /// Names are similar if they differ in case, or by at most one insertion, deletion, replacement or swap of
    /// neighbours (optimal string alignment) per three characters. Of several equally similar names, the first is
    /// returned. Takes time linear to the number of names and quadratic to their length, which is limited.
    package func nearest(to name: String) -> String? {
        let wanted = name.lowercased().unicodeScalars.map(\.value)
        var best: (name: String, distance: Int)?
        for candidate in self {
            let scalars = candidate.lowercased().unicodeScalars.map(\.value)
            let bound = Swift.min((best?.distance ?? .max) - 1, Swift.max(wanted.count, scalars.count) / 3)
            guard scalars.count <= 100, abs(scalars.count - wanted.count) <= bound else { continue }
            let distance = alignmentDistance(wanted, scalars)
            if distance <= bound { best = (candidate, distance) }
        }
        return best?.name
    }
}

extension String {
    /// The question "did you mean …?" with this name.
    package var didYouMean: String { "did you mean '\(excerpt(80))'?" }
}

extension String? {
    /// `; did you mean 'NAME'?`, or empty without a name.
    package var question: String { map { "; \($0.didYouMean)" } ?? "" }

    /// `; did you mean 'NAME'? REMEDY`, or `; REMEDY` without a name.
    package func question(then remedy: String) -> String { (self == nil ? ";" : question) + " " + remedy }
}

/// The number of insertions, deletions, replacements and swaps of neighbours between the two texts.
private func alignmentDistance(_ left: [UInt32], _ right: [UInt32]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var distance = Swift.min(
                last[column] + (scalar == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                distance = Swift.min(distance, beforeLast[column - 1] + 1)
            }
            current.append(distance)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
