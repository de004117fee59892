import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import Testing

struct EntityIDIndexTests {
    private func indices(of id: JSValue, in ids: [JSValue]) -> [Int] {
        var indices: [Int] = []
        guard let id = EntityID(id) else { return [] }
        let isFound = EntityIDIndex(ids.compactMap { EntityID($0) }).append(id, to: &indices)
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

    @Test func anIndexKnowsWhetherItIsEmpty() {
        #expect(EntityIDIndex([EntityID]()).isEmpty)
        #expect(!EntityIDIndex(["a" as EntityID]).isEmpty)
    }
}
