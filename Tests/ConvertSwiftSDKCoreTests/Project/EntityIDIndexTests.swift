import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import Testing

struct EntityIDIndexTests {
    private func indices(of id: JSValue, in ids: [JSValue]) -> [Int32] {
        var indices: [Int32] = []
        var room = 1_000
        guard let id = EntityID(id) else { return [] }
        let isFound = EntityIDIndex(ids.compactMap { EntityID($0) }).append(id, to: &indices, room: &room)
        #expect(isFound == !indices.isEmpty)
        return indices
    }

    @Test func allEntitiesWithAnIDAreFoundInOrder() {
        #expect(indices(of: "a", in: ["a", "b", "a", "a"]) == [0, 2, 3])
        #expect(indices(of: "b", in: ["a", "b", "a"]) == [1])
        #expect(indices(of: "c", in: ["a", "b"]) == [])
        #expect(indices(of: "a", in: []) == [])
    }

    @Test func textAndNumberAreTwoIDs() {
        #expect(indices(of: "9", in: [9, "9", 9.0, "9"]) == [1, 3])
        #expect(indices(of: 9, in: [9, "9", 9.0, "9"]) == [0, 2])
        #expect(indices(of: 9, in: ["9"]) == [])
    }

    @Test func booleansAndWhatIsNoIDAreApartToo() {
        let ids = [EntityID(onWire: true), "true", .unusable, "", EntityID(onWire: true)].compactMap(\.self)
        let index = EntityIDIndex(ids)
        func indices(of id: EntityID?, room: Int = 10) -> [Int32] {
            var indices: [Int32] = []
            var left = room
            if let id { _ = index.append(id, to: &indices, room: &left) }
            #expect(left == room - indices.count)
            return indices
        }
        #expect(indices(of: EntityID(onWire: true)) == [0, 4])
        // One more than there is room for tells that there are more.
        #expect(indices(of: EntityID(onWire: true), room: 1) == [0, 4])
        #expect(indices(of: EntityID(onWire: true), room: 0) == [0])
        #expect(indices(of: EntityID(onWire: true), room: -1) == [])
        #expect(indices(of: "true") == [1])
        #expect(indices(of: .unusable) == [2])
        #expect(indices(of: "") == [3])
        #expect(indices(of: EntityID(onWire: false)) == [])
    }
}
