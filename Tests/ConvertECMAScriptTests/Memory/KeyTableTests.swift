import Testing

@testable import ConvertECMAScript

struct KeyTableTests {
    /// Names that fit into a word or two, and names of the same bytes elsewhere.
    private static let names = (0..<500).map { PropertyKey(String(repeating: "n", count: $0 % 40) + "\($0)") }

    @Test func everyNameHasThePlaceAtWhichItWasAdded() {
        var table = KeyTable()
        for name in Self.names { _ = table.append(name) }
        for (place, name) in Self.names.enumerated() {
            let copy = String(decoding: Array(name.name.utf8), as: UTF8.self)
            let (byKey, byName) = (table.index(of: name), table.index(named: copy))
            #expect(byKey == place && byName == place)
        }
        let (unknown, empty) = (table.index(named: "no name"), KeyTable().index(of: "n0"))
        #expect(unknown == nil && empty == nil)
    }

    @Test func namesAreComparedByCodeUnits() {
        var table = KeyTable()
        let places = (table.append("é"), table.append("e\u{301}"))
        let found = (table.index(named: "é"), table.index(named: "e\u{301}"), table.index(named: "e"))
        #expect(places == (0, 1) && found.0 == 0 && found.1 == 1 && found.2 == nil)
    }
}
