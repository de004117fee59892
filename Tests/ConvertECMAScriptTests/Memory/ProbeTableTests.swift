@testable import ConvertECMAScript
import Testing

struct ProbeTableTests {
    @Test func everyPlaceIsFoundByItsHash() {
        var table = ProbeTable()
        for place in 0..<1_000 { table.insert(place, hash: UInt32(place) &* 0x9e37_79b9) }
        for place in 0..<1_000 {
            #expect(table.place(hash: UInt32(place) &* 0x9e37_79b9) { $0 == place } == place)
        }
        #expect(table.place(hash: 7) { _ in true } == nil)
    }

    @Test func placesOfOneHashAreToldApartByTheCaller() {
        var table = ProbeTable()
        for place in 0..<100 { table.insert(place, hash: 5) }
        #expect((0..<100).allSatisfy { place in table.place(hash: 5) { $0 == place } == place })
        #expect(table.place(hash: 5) { $0 == 100 } == nil)
        #expect(table.place(hash: 5 + 16) { _ in true } == nil)
    }
}
