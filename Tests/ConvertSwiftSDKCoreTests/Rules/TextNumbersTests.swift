import Testing

@testable import ConvertSwiftSDKCore

struct TextNumbersTests {
    private var pool: [UInt8] = []
    private var numbers = TextNumbers()

    private mutating func number(_ text: String, _ slot: Int) -> UInt32 {
        let range = PoolRange(start: pool.count, count: text.utf8.count)
        pool += Array(text.utf8)
        return numbers.entry(of: range, in: slot, pool).number
    }

    private func found(_ text: String, _ slot: Int, in frozen: TextNumbers.Frozen) -> UInt32 {
        Array(text.utf8).withUnsafeBufferPointer { frozen.number(of: ByteText($0), in: slot) }
    }

    @Test mutating func everySlotCountsItsTextsFromOne() {
        #expect(number("a", 1) == 1)
        #expect(number("b", 1) == 2)
        #expect(number("b", 7) == 1)
        #expect(number("", 7) == 2)
        #expect(number("a", 1) == 1)
    }

    @Test mutating func aTextHasANumberIfARuleOfItsSlotNamesIt() {
        // Many times what the table begins with, so that hashes meet in it.
        for slot in 0..<20 {
            for index in 0..<100 { _ = number("text \(index * (slot + 1))", slot) }
        }
        let texts = FrozenTable(pool)
        let frozen = TextNumbers.Frozen(numbers, texts: texts)
        defer {
            frozen.deallocate()
            texts.deallocate()
        }
        for slot in 0..<20 {
            for index in 0..<2_100 {
                let isNamed = index % (slot + 1) == 0 && index / (slot + 1) < 100
                let expected = isNamed ? UInt32(index / (slot + 1) + 1) : 0
                if found("text \(index)", slot, in: frozen) != expected { Issue.record("\(index) in \(slot)") }
            }
        }
        #expect(found("text 0", 20, in: frozen) == 0)
    }
}
