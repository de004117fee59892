/// A machine during one search: the reached states, numbered from 0, and the known answers about them.
///
/// A search combines each state with many states of the other machines, so every answer is cached.
struct ExploredMachine {
    private static let unknown = Int32(-1)

    private let machine: any TextMachine
    private let isWanted: Bool
    private let symbols: [Alphabet.Symbol]
    private var states: [Int] = []
    private var numbers: [Int: Int32] = [:]
    /// For each state, the next states by the number of a symbol.
    private var transitions: [Int32] = []
    /// For each state, whether a text that ends there gets the wanted answer.
    private(set) var answers: [Truth] = []
    /// For each state, whether no continuation gets the wanted answer.
    private(set) var isHopeless: [Bool] = []

    init(_ machine: any TextMachine, isWanted: Bool, _ symbols: [Alphabet.Symbol]) {
        self.machine = machine
        self.isWanted = isWanted
        self.symbols = symbols
        _ = number(of: 0)
    }

    /// The next state after a state and a symbol.
    mutating func next(_ state: Int32, _ symbol: Int) -> Int32 {
        let place = Int(state) * symbols.count + symbol
        if transitions[place] == Self.unknown {
            transitions[place] = next(state, symbols[symbol].units, lower: symbols[symbol].lower)
        }
        return transitions[place]
    }

    /// The next state after a state and a text, which is passed with its lower case.
    mutating func next(_ state: Int32, _ units: [UInt16], lower: [UInt16]) -> Int32 {
        number(of: (machine.readsLowerCase ? lower : units).reduce(states[Int(state)]) { machine.next($0, $1) })
    }

    private mutating func number(of state: Int) -> Int32 {
        if let number = numbers[state] { return number }
        let number = Int32(states.count)
        numbers[state] = number
        states.append(state)
        transitions += repeatElement(Self.unknown, count: symbols.count)
        let answer = machine.truth(at: state).agrees(with: isWanted)
        answers.append(answer)
        isHopeless.append(answer == .no && machine.isSettled(at: state))
        return number
    }
}
