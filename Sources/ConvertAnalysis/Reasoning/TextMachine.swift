internal import ConvertECMAScript

/// A deterministic automaton over the UTF-16 code units of a text: what one condition answers for every text.
///
/// States are numbers, the first one is 0. A machine may build its states while it runs, so it belongs to one thread.
protocol TextMachine: AnyObject {
    /// Whether it reads the lower case of the text instead of the text itself.
    var readsLowerCase: Bool { get }

    /// First units of runs of units of one class, so that each class has a unit here or is that of U+0000.
    var boundaries: [UInt16] { get }

    /// A number for the class of a unit. Units of one class lead to the same states.
    func unitClass(of unit: UInt16) -> Int

    /// The state behind `state` and a unit.
    func next(_ state: Int, _ unit: UInt16) -> Int

    /// What the condition answers for a text that ends at `state`.
    func truth(at state: Int) -> Truth

    /// Whether the answer at `state` stays as it is, whatever follows. It may be `false` of some such states.
    func isSettled(at state: Int) -> Bool

    /// How much more than one step its transitions took since the last call: one of a pattern may go on at thousands of
    /// places.
    func takeVisits() -> Int
}

extension TextMachine {
    func isSettled(at state: Int) -> Bool { false }
    func takeVisits() -> Int { 0 }
}

/// The units that a machine names, each a class of its own; all others are class 0.
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

/// One answer for every text.
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

/// Whether there is any text.
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

/// What a pattern answers for the lower case of a text.
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
}
