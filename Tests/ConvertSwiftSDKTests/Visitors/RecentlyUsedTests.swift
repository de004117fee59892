import ConvertLedgers
import ConvertECMAScript
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

struct RecentlyUsedTests {
    @Test func itKeepsToItsModel() {
        var generator = SeededGenerator(seed: 5)
        var table = RecentlyUsed<Int>(capacity: 8)
        var model: [(key: String, value: Int)] = []
        for step in 0..<20_000 {
            let key = String(generator.int(0...19))
            let index = model.firstIndex { $0.key == key }
            switch generator.int(0...9) {
            case 0:
                table.remove(PropertyKey(key))
                if let index { model.remove(at: index) }
            case 1...5:
                #expect(table.value(of: PropertyKey(key)) == index.map { model[$0].value }, "step \(step)")
                if let index { model.insert(model.remove(at: index), at: 0) }
            default:
                table.set(step, for: PropertyKey(key))
                if let index { model.remove(at: index) }
                model.insert((key, step), at: 0)
                if model.count > 8 { model.removeLast() }
            }
            #expect(table.count == model.count)
        }
    }

    @Test func entriesInUseStayAndUnusedOnesAreRemoved() {
        var table = RecentlyUsed<Int>(capacity: 2)
        for value in 0..<10 { table.set(value, for: PropertyKey("\(value)")) { $0 < 5 } }
        for value in 0..<5 { #expect(table.value(of: PropertyKey("\(value)")) == value) }
        #expect(table.count >= 5)
        for value in 10..<20 { table.set(value, for: PropertyKey("\(value)")) }
        #expect(table.count == 2)
    }
}
