internal import ConvertECMAScript

/// Searches for the shortest text for which every condition gives the wanted answer. The text is that of a scalar, or
/// of an array that must contain certain elements.
struct TextSearch {
    enum Outcome {
        /// No such text exists.
        case empty
        case found(JSValue)
        /// The search could not decide whether such a text exists.
        case undecided
    }

    /// A required element of the array, with its text.
    private struct Piece {
        let value: JSValue
        let units: [UInt16]
        let lower: [UInt16]
    }

    private struct Node {
        let parent: Int
        /// The number of a symbol or of a piece; -1 for the empty text. Pieces are numbered after all symbols.
        let step: Int
    }

    /// The positions within an array's text.
    private enum Place: Int32 {
        case inElement, atElement, behindPiece
    }

    private static let separator = UInt16(0x2C)
    /// The maximum number of required elements.
    static let mostPieces = 8
    /// The maximum number of tried texts whose answer the machines do not know.
    private static let mostTrials = 200
    /// The maximum number of steps in patterns.
    private static let mostVisits = 1_000_000

    private let conditions: [(machine: any TextMachine, wanted: Bool)]
    private let alphabet: Alphabet
    /// The number of the symbol between an array's elements; `nil` if the value is not an array.
    private let separator: Int?
    private let pieces: [Piece]?
    private let budget: AnalysisBudget

    /// - Parameters:
    ///   - conditions: the conditions with their wanted answers.
    ///   - pieces: the required elements of the array; `nil` if the value is not an array.
    init(_ conditions: [(machine: any TextMachine, wanted: Bool)], pieces: [JSValue]? = nil, budget: AnalysisBudget) {
        self.conditions = conditions
        let alphabet = Alphabet(for: conditions.map(\.machine), separator: pieces == nil ? nil : Self.separator)
        self.alphabet = alphabet
        separator = pieces == nil ? nil : alphabet.symbols.firstIndex { $0.units == [Self.separator] }
        self.pieces = pieces?.map { value in
            let text = value.isNull ? "" : ECMAScript.toString(value)
            return Piece(value: value, units: Array(text.utf16), lower: Array(ECMAScript.toLowerCase(text).utf16))
        }
        self.budget = budget
        budget.spend(alphabet.symbols.count * conditions.count)
    }

    /// Searches for a text. `accepts` checks its value on the rule engine.
    func run(accepts: (JSValue) -> Bool) -> Outcome {
        var machines = conditions.map { ExploredMachine($0.machine, isWanted: $0.wanted, alphabet.symbols) }
        // The machines' states, the found pieces, and the position in the array.
        let start = [Int32](repeating: 0, count: machines.count) + [0, Place.atElement.rawValue]
        var nodes = [Node(parent: -1, step: -1)]
        var states = [start]
        var known: Set<[Int32]> = [start]
        var isUnsure = false
        var (trials, visits) = (0, 0)
        var index = 0
        while index < nodes.count {
            let state = states[index]
            if answer(at: state, machines) != .no {
                trials += 1
                if trials > Self.mostTrials { return .undecided }
                let value = value(of: index, nodes)
                if accepts(value) { return .found(value) }
                isUnsure = isUnsure || value.stringValue != Self.ruleDataName
            }
            takeSteps(from: state, &machines) { step, next in
                guard known.insert(next).inserted else { return }
                nodes.append(Node(parent: index, step: step))
                states.append(next)
            }
            let taken = conditions.reduce(0) { $0 + $1.machine.takeVisits() }
            visits += taken
            budget.spend(taken)
            if nodes.count > budget.limits.states || visits > Self.mostVisits || budget.isExhausted {
                return .undecided
            }
            index += 1
        }
        return isUnsure ? .undecided : .empty
    }

    /// If the attribute `name` has this value, the JavaScript SDK sees no attributes at all, so the search never uses
    /// it.
    private static let ruleDataName = "RuleData"

    private func answer(at state: [Int32], _ machines: [ExploredMachine]) -> Truth {
        if let pieces, Int(state[machines.count]) != 1 << pieces.count - 1 { return .no }
        var result = Truth.yes
        for index in machines.indices {
            switch machines[index].answers[Int(state[index])] {
            case .no: return .no
            case .unknown: result = .unknown
            case .yes: break
            }
        }
        return result
    }

    /// Takes each step after which all machines may still give the wanted answer.
    private func takeSteps(
        from state: [Int32], _ machines: inout [ExploredMachine], _ take: (_ step: Int, _ next: [Int32]) -> Void
    ) {
        let (present, place) = (machines.count, machines.count + 1)
        var next = state
        for symbol in alphabet.symbols.indices {
            if state[place] == Place.behindPiece.rawValue, symbol != separator { continue }
            if advance(state, to: &next, &machines, { $0.next($1, symbol) }) { continue }
            if separator != nil { next[place] = (symbol == separator ? Place.atElement : .inElement).rawValue }
            take(symbol, next)
        }
        guard let pieces, state[place] == Place.atElement.rawValue else { return }
        for (index, piece) in pieces.enumerated() where state[present] & (1 << Int32(index)) == 0 {
            if advance(state, to: &next, &machines, { $0.next($1, piece.units, lower: piece.lower) }) { continue }
            next[present] = state[present] | 1 << Int32(index)
            next[place] = Place.behindPiece.rawValue
            take(alphabet.symbols.count + index, next)
        }
    }

    /// Stores the next states of all machines. Returns whether one of them can no longer give the wanted answer; then
    /// only some states are stored.
    private func advance(
        _ state: [Int32], to next: inout [Int32], _ machines: inout [ExploredMachine],
        _ step: (inout ExploredMachine, Int32) -> Int32
    ) -> Bool {
        budget.spend(machines.count)
        for index in machines.indices {
            let reached = step(&machines[index], state[index])
            if machines[index].isHopeless[Int(reached)] { return true }
            next[index] = reached
        }
        return false
    }

    /// The value whose text leads to a node.
    private func value(of node: Int, _ nodes: [Node]) -> JSValue {
        var steps: [Int] = []
        var node = node
        while nodes[node].parent >= 0 {
            steps.append(nodes[node].step)
            node = nodes[node].parent
        }
        var elements: [JSValue] = []
        var text = String.UnicodeScalarView()
        var piece: JSValue?
        for step in steps.reversed() {
            if step >= alphabet.symbols.count {
                piece = pieces?[step - alphabet.symbols.count].value
                continue
            }
            let symbol = alphabet.symbols[step]
            if step == separator {
                elements.append(piece ?? .string(String(text)))
                (piece, text) = (nil, String.UnicodeScalarView())
            } else if let scalar = Unicode.Scalar(symbol.scalar) {
                text.append(scalar)
            }
        }
        if pieces == nil { return .string(String(text)) }
        return .array(elements + [piece ?? .string(String(text))])
    }
}
