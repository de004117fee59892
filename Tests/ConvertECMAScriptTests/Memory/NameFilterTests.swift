import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

struct NameFilterTests {
    private static let names: [PropertyKey] = [
        "country", "visitorType", "a", "", "日本", "a name longer than sixteen bytes",
    ]

    @Test(arguments: names) func anObjectWithOneOfTheNamesIsNeverRuledOut(name: PropertyKey) {
        let filter = NameFilter(Self.names)
        for place in 0..<20 {
            var object = JSObject((0..<place).map { ("other-\($0)", .integer($0)) })
            object[name] = .null
            for index in place..<20 { object["other-\(index)"] = .integer(index) }
            #expect(filter.matches(object), "at \(place)")
        }
    }

    @Test func mostOtherNamesAreRuledOutByTheirHash() {
        let filter = NameFilter(Self.names)
        let suspects = (0..<2000).count { filter.mayContain(PropertyKey("other-\($0)").hash) }
        #expect(suspects < 200)
    }

    @Test func noOtherNameIsTakenForOneOfThem() {
        let filter = NameFilter(Self.names)
        let others = (0..<5000).map { PropertyKey("other-\($0)") }
        // So many that some have the same bits.
        #expect(others.contains { filter.mayContain($0.hash) })
        #expect(!others.contains { filter.matches([$0.name: .null]) })
        #expect(!filter.matches(JSObject(others.map { ($0.name, .null) })) && !filter.matches(JSObject()))
    }
}
