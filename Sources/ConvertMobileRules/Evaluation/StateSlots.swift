internal import ConvertECMAScript

/// The members of one shared state that are used to find rules.
///
/// There may be as many such members as rules, while the state may have any number of values. Reading the members for
/// an event takes time linear to the smaller of the two numbers.
struct StateSlots: Sendable {
    /// The shared state.
    let name: PropertyKey
    /// Slots by the flattened names of the state's leaves.
    private let slots: [PropertyKey: Int32]
    private let names: LeafNames

    /// Up to this many members are looked up one by one, which is faster than traversing the state.
    private static let lookUpLimit = 16

    /// The slots in `keys` that belong to a shared state and for which `isIncluded` is true, by state.
    static func grouping(_ keys: [KeyReference], where isIncluded: (Int) -> Bool) -> [StateSlots] {
        var groups: [PropertyKey: [PropertyKey: Int32]] = [:]
        for (slot, key) in keys.enumerated() where isIncluded(slot) {
            if case .state(let name, let member) = key { groups[name, default: [:]][member] = Int32(slot) }
        }
        return groups.map { StateSlots(name: $0, slots: $1, names: LeafNames($1.keys)) }
    }

    /// Calls `body` with each slot for which `state` has a leaf, and the leaf.
    func forEachLeaf(of state: JSObject, _ body: (Int32, JSValue) -> Void) {
        if let found = leavesByWalking(state) {
            for (slot, leaf) in found { body(slot, leaf) }
        } else {
            for (name, slot) in slots { if let leaf = EventData.leaf(name, of: state) { body(slot, leaf) } }
        }
    }

    /// The leaves by slot, or `nil` if there are too many values to traverse.
    private func leavesByWalking(_ state: JSObject) -> [Int32: JSValue]? {
        guard slots.count > Self.lookUpLimit else { return nil }
        var found: [Int32: JSValue] = [:]
        // Visiting a value takes about twice as long as looking one up.
        let isComplete = EventData.forEachLeaf(
            of: state, room: slots.count / 2, descend: { names.hasLeaf(below: $0) }
        ) { name, leaf in
            if let slot = slots[name] { found[slot] = leaf }
        }
        return isComplete ? found : nil
    }
}
