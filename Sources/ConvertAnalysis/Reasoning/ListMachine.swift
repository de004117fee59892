/// Finds out whether a part of a text, split at `|`, equals one of some items. It reads the original text, not its
/// lower case.
final class ListMachine: TextMachine {
    private struct Node {
        var children: [UInt16: Int] = [:]
        var isItem = false
    }

    private static let separator = UInt16(0x7C)

    let readsLowerCase = false
    private let isNegated: Bool
    private let named: NamedUnits
    private var nodes = [Node()]
    private var hasFailed: Int { nodes.count }
    private var hasMatched: Int { nodes.count + 1 }

    init(_ items: [[UInt16]], isNegated: Bool) {
        self.isNegated = isNegated
        named = NamedUnits(items.joined() + [Self.separator])
        // A part contains no separator.
        for item in items where !item.contains(Self.separator) {
            var node = 0
            for unit in item {
                if let child = nodes[node].children[unit] {
                    node = child
                } else {
                    nodes[node].children[unit] = nodes.count
                    node = nodes.count
                    nodes.append(Node())
                }
            }
            nodes[node].isItem = true
        }
    }

    var boundaries: [UInt16] { named.boundaries }

    func unitClass(of unit: UInt16) -> Int { named.unitClass(of: unit) }

    func next(_ state: Int, _ unit: UInt16) -> Int {
        if state == hasMatched { return state }
        if unit == Self.separator { return state < nodes.count && nodes[state].isItem ? hasMatched : 0 }
        return state < nodes.count ? nodes[state].children[unit] ?? hasFailed : hasFailed
    }

    func truth(at state: Int) -> Truth {
        Truth((state == hasMatched || state < nodes.count && nodes[state].isItem) != isNegated)
    }

    func isSettled(at state: Int) -> Bool { state == hasMatched }
}
