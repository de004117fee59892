import ConvertECMAScript
import Testing

struct PropertyNamesTests {
    private static let names: [PropertyKey] = [
        "country", "visitorType", "a", "", "日本", "a name longer than sixteen bytes",
    ]

    @Test(arguments: names) func anObjectWithOneOfTheNamesIsFound(name: PropertyKey) {
        let names = PropertyNames(Self.names)
        for place in 0..<20 {
            var object = JSObject((0..<place).map { ("other-\($0)", .integer($0)) })
            object[name] = .null
            for index in place..<20 { object["other-\(index)"] = .integer(index) }
            #expect(names.matches(object), "at \(place)")
        }
    }

    @Test func noOtherNameIsTakenForOneOfThem() {
        let names = PropertyNames(Self.names)
        // Enough names for some to have the same bits.
        let others = (0..<5000).map { PropertyKey("other-\($0)") }
        #expect(!others.contains { names.matches([$0.name: .null]) })
        #expect(!names.matches(JSObject(others.map { ($0.name, .null) })) && !names.matches(JSObject()))
    }
}
