/// Finds a text within another one: as the whole text, at its start, at its end or anywhere.
final class NeedleMachine: TextMachine {
    enum Place {
        case whole, start, end, anywhere
    }

    let readsLowerCase = true
    private let needle: [UInt16]
    private let place: Place
    private let isNegated: Bool
    private let named: NamedUnits
    /// For each prefix of the needle, the length of its longest proper suffix that is also a prefix.
    private let failures: [Int]

    init(_ needle: [UInt16], _ place: Place, isNegated: Bool) {
        self.needle = needle
        self.place = place
        self.isNegated = isNegated
        named = NamedUnits(needle)
        var failures = [0, 0]
        var length = 0
        for index in needle.indices.dropFirst() {
            while length > 0, needle[index] != needle[length] { length = failures[length] }
            if needle[index] == needle[length] { length += 1 }
            failures.append(length)
        }
        self.failures = failures
    }

    var boundaries: [UInt16] { named.boundaries }

    func unitClass(of unit: UInt16) -> Int { named.unitClass(of: unit) }

    /// A state is the length of the needle's longest prefix at the end of the text. The needle's length plus one is a
    /// dead end.
    func next(_ state: Int, _ unit: UInt16) -> Int {
        switch place {
        case .whole, .start:
            if state < needle.count, needle[state] == unit { return state + 1 }
            return state == needle.count && place == .start ? state : needle.count + 1
        case .end, .anywhere:
            if needle.isEmpty || state == needle.count && place == .anywhere { return state }
            var length = state == needle.count ? failures[state] : state
            while length > 0, needle[length] != unit { length = failures[length] }
            return needle[length] == unit ? length + 1 : 0
        }
    }

    func truth(at state: Int) -> Truth { Truth((state == needle.count) != isNegated) }

    func isSettled(at state: Int) -> Bool {
        switch place {
        case .whole: state > needle.count
        case .start: state >= needle.count
        case .end: false
        case .anywhere: state == needle.count
        }
    }
}
