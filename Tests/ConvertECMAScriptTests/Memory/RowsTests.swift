import Testing

@testable import ConvertECMAScript

struct RowsTests {
    @Test func rowsAreKeptInTheOrderInWhichTheyAreAdded() {
        var rows = Rows<Int>()
        for row in 0..<100 { rows.append(row) }
        [100, 101].withElements { rows.append(contentsOf: $0) }
        rows[0] += 7
        #expect(Array(rows.elements) == [7] + Array(1...101))
        #expect(Array(rows[TableRange(start: 98, count: 3)]) == [98, 99, 100])
        rows.removeLast(2)
        let last = rows.removeLast()
        let (count, indices) = (rows.count, rows.indices)
        #expect(last == 99 && count == 99 && indices == 0..<99)
    }

    @Test func aCopyIsApart() {
        let rows = Rows([1, 2, 3])
        var copy = Rows(copying: rows)
        copy[1] = 5
        copy.append(4)
        #expect(Array(rows.elements) == [1, 2, 3] && Array(copy.elements) == [1, 5, 3, 4])
    }

    @Test func valuesInRowsAreReleasedWithTheRowsOrOnRemoval() {
        final class Held {}
        weak var first: Held?
        weak var second: Held?
        weak var third: Held?
        do {
            var rows = Rows<Held>()
            for place in 0..<3 {
                let held = Held()
                if place == 0 { first = held } else if place == 1 { second = held } else { third = held }
                rows.append(held)
            }
            rows.removeLast(1)
            #expect(third == nil && second != nil)
            rows[1] = rows[0]
            #expect(second == nil && first != nil)
        }
        #expect(first == nil)
    }

    @Test func rowsWithoutAnyAreEmpty() {
        let rows = Rows<UInt8>([])
        let (isEmpty, elements) = (rows.isEmpty, rows.elements)
        let text = rows.text(at: TableRange(start: 0, count: 1))
        #expect(isEmpty && elements.isEmpty && text.count == 0)
    }
}
