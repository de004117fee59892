import Testing

@testable import ConvertECMAScript

struct HashIndexTests {
    @Test func everyPlaceIsFoundByItsHash() {
        var index = HashIndex()
        for place in 0..<1_000 { index.insert(place, hash: UInt32(place) &* 0x9e37_79b9) }
        for place in 0..<1_000 {
            let found = index.place(hash: UInt32(place) &* 0x9e37_79b9) { $0 == place }
            #expect(found == place)
        }
        let unknown = index.place(hash: 7) { _ in true }
        #expect(unknown == nil)
    }

    @Test func placesOfOneHashAreComparedByTheCaller() {
        var index = HashIndex()
        for place in 0..<100 { index.insert(place, hash: 5) }
        for place in 0..<100 {
            let found = index.place(hash: 5) { $0 == place }
            #expect(found == place)
        }
        let (unknown, other) = (index.place(hash: 5) { $0 == 100 }, index.place(hash: 5 + 16) { _ in true })
        #expect(unknown == nil && other == nil)
    }

    @Test func aCopyGrowsOnItsOwn() {
        var index = HashIndex()
        for place in 0..<8 { index.insert(place, hash: UInt32(place)) }
        var copy = HashIndex(copying: index)
        for place in 8..<100 { copy.insert(place, hash: UInt32(place)) }
        for place in 0..<100 {
            let found = index.place(hash: UInt32(place)) { _ in true }
            let copied = copy.place(hash: UInt32(place)) { _ in true }
            #expect(found == (place < 8 ? place : nil) && copied == place)
        }
    }
}
