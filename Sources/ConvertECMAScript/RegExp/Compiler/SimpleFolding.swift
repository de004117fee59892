/// Canonicalize (ECMA-262, 22.2.2.7.3) for patterns with the flag `u` or `v`: the simple case folding of code points.
enum SimpleFolding {
    /// Maps code points to their classes, and each class to its members. The first member represents the class.
    private struct Classes: Sendable {
        var members: [UInt32: [UInt32]] = [:]
        /// All code points that fold like another code point, ascending.
        var points: [UInt32] = []
    }

    private static let classes: Classes = {
        var result = Classes()
        var index = 0
        while index < UnicodeTables.simpleFoldingClasses.count {
            let size = Int(UnicodeTables.simpleFoldingClasses[index])
            let members = Array(UnicodeTables.simpleFoldingClasses[index + 1...index + size])
            for member in members { result.members[member] = members }
            result.points += members
            index += size + 1
        }
        result.points.sort()
        return result
    }()

    /// The form in which `point` is compared when case is ignored; equal for all code points that fold alike.
    static func canonical(_ point: UInt32) -> UInt32 { classes.members[point]?.first ?? point }

    /// All code points that fold like a code point of `set`.
    static func closure(of set: CodePointSet) -> CodePointSet {
        let variants = points(in: set).flatMap { classes.members[$0] ?? [] }
        return variants.isEmpty ? set : CodePointSet(ranges: set.ranges + variants.map { $0...$0 })
    }

    /// `set`, with each code point replaced by its canonical form (MaybeSimpleCaseFolding, 22.2.2.9.5).
    static func canonical(_ set: CodePointSet) -> CodePointSet {
        let inside = points(in: set)
        guard !inside.isEmpty else { return set }
        let others = CodePointSet(ranges: inside.map { $0...$0 })
        return set.subtracting(others).union(CodePointSet(ranges: inside.map { canonical($0)...canonical($0) }))
    }

    /// All canonical code points (AllCharacters, 22.2.2.9.4).
    static let allCanonical = canonical(CodePointSet.all)

    /// The number of code points of `set` that have other cases.
    static func count(in set: CodePointSet) -> Int { places(in: set).reduce(0) { $0 + $1.count } }

    private static func points(in set: CodePointSet) -> [UInt32] { places(in: set).flatMap { classes.points[$0] } }

    /// For each range of `set`, the places of its points in the list of code points that fold like another code point.
    private static func places(in set: CodePointSet) -> [Range<Int>] {
        set.ranges.map { range in
            let start = firstPlace(atLeast: range.lowerBound)
            return start..<max(start, firstPlace(atLeast: range.upperBound + 1))
        }
    }

    private static func firstPlace(atLeast point: UInt32) -> Int {
        let points = classes.points
        return points.indices.partitioningIndex { points[$0] >= point }
    }
}
