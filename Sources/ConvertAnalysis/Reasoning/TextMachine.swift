internal import ConvertECMAScript

/// A deterministic automaton over the UTF-16 code units of a text, which has the answers of one condition for every
/// text.
///
/// States are numbers, and the initial state is 0. A machine may create states while it runs, so only one thread may
/// use it.
protocol TextMachine: AnyObject {
    /// Whether the machine reads the text's lower case instead of the original text.
    var readsLowerCase: Bool { get }

    /// The first units of all runs with units of one class. Each class contains one of them or U+0000.
    var boundaries: [UInt16] { get }

    /// The class of a unit, as a number. Units of one class lead to the same states.
    func unitClass(of unit: UInt16) -> Int

    /// The next state after `state` and a unit.
    func next(_ state: Int, _ unit: UInt16) -> Int

    /// The answer for a text that ends at `state`.
    func truth(at state: Int) -> Truth

    /// Whether the answer at `state` is the same for every continuation. May be `false` for some states for which it
    /// is.
    func isSettled(at state: Int) -> Bool

    /// The number of steps that transitions took since the last call, beyond one each. A pattern's transition may
    /// continue at thousands of places.
    func takeVisits() -> Int
}

extension TextMachine {
    func isSettled(at state: Int) -> Bool { false }
    func takeVisits() -> Int { 0 }
}

/// The units that a machine distinguishes, each in its own class; all others are in class 0.
struct NamedUnits {
    private let units: [UInt16]

    init(_ units: some Sequence<UInt16>) { self.units = Set(units).sorted() }

    func unitClass(of unit: UInt16) -> Int {
        let place = units.indices.partitioningIndex { units[$0] >= unit }
        return place < units.count && units[place] == unit ? place + 1 : 0
    }

    var classCount: Int { units.count + 1 }

    var boundaries: [UInt16] { units.flatMap { $0 < .max ? [$0, $0 + 1] : [$0] } }
}

/// Gives the same answer for every text.
final class ConstantMachine: TextMachine {
    private let answer: Truth

    init(_ answer: Truth) { self.answer = answer }

    var readsLowerCase: Bool { true }
    var boundaries: [UInt16] { [] }
    func unitClass(of unit: UInt16) -> Int { 0 }
    func next(_ state: Int, _ unit: UInt16) -> Int { 0 }
    func truth(at state: Int) -> Truth { answer }
    func isSettled(at state: Int) -> Bool { true }
}

/// Finds out whether a text is not empty.
final class NonEmptyMachine: TextMachine {
    private let isNegated: Bool

    init(isNegated: Bool) { self.isNegated = isNegated }

    var readsLowerCase: Bool { true }
    var boundaries: [UInt16] { [] }
    func unitClass(of unit: UInt16) -> Int { 0 }
    func next(_ state: Int, _ unit: UInt16) -> Int { 1 }
    func truth(at state: Int) -> Truth { Truth((state == 1) != isNegated) }
    func isSettled(at state: Int) -> Bool { state == 1 }
}

/// Whether a text has only units that occur in the texts of numbers.
final class NumberUnitsMachine: TextMachine {
    private static let named = NamedUnits("0123456789,.-+e".utf16)

    var readsLowerCase: Bool { true }
    var boundaries: [UInt16] { Self.named.boundaries }
    func unitClass(of unit: UInt16) -> Int { Self.named.unitClass(of: unit) }
    func next(_ state: Int, _ unit: UInt16) -> Int { state == 0 && unitClass(of: unit) > 0 ? 0 : 1 }
    func truth(at state: Int) -> Truth { Truth(state == 0) }
    func isSettled(at state: Int) -> Bool { state == 1 }
}

/// Applies a pattern to the lower case of a text.
final class PatternMachine: TextMachine {
    private let states: PatternStates
    private let isNegated: Bool

    init(_ states: PatternStates, isNegated: Bool) {
        self.states = states
        self.isNegated = isNegated
    }

    var readsLowerCase: Bool { true }
    var boundaries: [UInt16] { states.boundaries }
    func unitClass(of unit: UInt16) -> Int { states.unitClass(of: unit) }
    func next(_ state: Int, _ unit: UInt16) -> Int { states.next(state, unit) }
    func truth(at state: Int) -> Truth { Truth(states.matches(at: state) != isNegated) }
    func isSettled(at state: Int) -> Bool { states.isSettled(at: state) }
    func takeVisits() -> Int { states.takeVisits() }

    /// A text that the pattern probably matches, for the first try.
    var sample: String? { states.sample(preferring: Alphabet.plainScalars.map { UInt16($0) }) }
}
