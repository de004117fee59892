/// Pearson's χ² test for the independence of two divisions of visitors.
struct IndependenceTest: Sendable {
    let total: Int
    let chiSquare: Double
    let degreesOfFreedom: Int
    let p: Double

    /// Tests a table with rows of `width` cells; `nil` if fewer than two rows or columns have visitors, or if a cell's
    /// expected count is too small for χ².
    init?(_ cells: ArraySlice<Int>, width: Int) {
        guard width > 0 else { return nil }
        let height = cells.count / width
        let rows = (0..<height).map { row in (0..<width).reduce(0) { $0 + cells[cells.startIndex + row * width + $1] } }
        let columns = (0..<width).map { column in
            (0..<height).reduce(0) { $0 + cells[cells.startIndex + $1 * width + column] }
        }
        total = rows.reduce(0, +)
        degreesOfFreedom = (rows.count { $0 > 0 } - 1) * (columns.count { $0 > 0 } - 1)
        guard total > 0, degreesOfFreedom > 0 else { return nil }
        var sum = 0.0
        for row in 0..<height where rows[row] > 0 {
            for column in 0..<width where columns[column] > 0 {
                let expected = Double(rows[row]) * Double(columns[column]) / Double(total)
                if expected < SampleRatioTest.smallCount { return nil }
                let difference = Double(cells[cells.startIndex + row * width + column]) - expected
                sum += difference * difference / expected
            }
        }
        chiSquare = sum
        p = SampleRatioTest.chiSquareTail(sum, degreesOfFreedom: degreesOfFreedom)
    }
}
