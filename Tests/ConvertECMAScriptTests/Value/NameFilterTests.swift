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
            #expect(filter.areAmong(object), "at \(place)")
        }
    }

    @Test func mostObjectsWithOtherNamesAreRuledOut() {
        let filter = NameFilter(Self.names)
        let suspects = (0..<2000).count { filter.mayBeAmong(["other-\($0)": .null]) }
        #expect(suspects < 200)
        #expect(!filter.mayBeAmong(JSObject()))
    }

    @Test func noOtherNameIsTakenForOneOfThem() {
        let filter = NameFilter(Self.names)
        // So many that some have the same bits.
        for index in 0..<5000 { #expect(!filter.areAmong(["other-\(index)": .null])) }
    }
}
