/// The contents of a class in a pattern with the flag `u` or `v` (ECMA-262, 22.2.2.9): code points, and with `v` also
/// texts that are not exactly one code point long.
struct ClassContents: Sendable {
    var points: CodePointSet
    var strings: Set<[UInt32]> = []
    /// MayContainStrings (22.2.1.7), which does not depend on the results of the set operators.
    var mayContainStrings = false

    init(_ points: CodePointSet) { self.points = points }

    /// - Parameter texts: texts of any length.
    init(texts: [[UInt32]]) {
        points = CodePointSet(ranges: texts.filter { $0.count == 1 }.map { $0[0]...$0[0] })
        strings = Set(texts.filter { $0.count != 1 })
        mayContainStrings = !strings.isEmpty
    }

    mutating func formUnion(_ other: ClassContents) {
        points = points.union(other.points)
        strings.formUnion(other.strings)
        mayContainStrings = mayContainStrings || other.mayContainStrings
    }

    mutating func formIntersection(_ other: ClassContents) {
        points = points.intersection(other.points)
        strings.formIntersection(other.strings)
        mayContainStrings = mayContainStrings && other.mayContainStrings
    }

    mutating func subtract(_ other: ClassContents) {
        points = points.subtracting(other.points)
        strings.subtract(other.strings)
    }
}
