internal import ConvertECMAScript

/// Looks for a text of which every condition says what is wanted, shortest first: the text of a value, or that of an
/// array which must have certain elements.
struct TextSearch {
    enum Outcome {
        /// No text meets the conditions.
        case empty
        case found(JSValue)
        /// There may be one.
        case undecided
    }

    /// An element that an array must have, and its text.
    private struct Piece {
        let value: JSValue
        let units: [UInt16]
        let lower: [UInt16]
    }

    private struct Node {
        let parent: Int
        /// Number of a symbol, or behind those of a piece; -1 for the empty text.
        let step: Int
    }

    /// Where an array's text ends.
    private enum Place: Int32 {
        case inElement, atElement, behindPiece
    }

    private static let separator = UInt16(0x2C)
    /// How many elements an array is asked to have.
    static let mostPieces = 8
    /// How many texts are tried of which the machines are not sure.
    private static let mostTrials = 200
    /// How many instructions of patterns may be visited.
    private static let mostVisits = 1_000_000

    private let conditions: [(machine: any TextMachine, wanted: Bool)]
    private let alphabet: Alphabet
    /// The number of the symbol between an array's elements; `nil` if the text is no array's.
    private let separator: Int?
    private let pieces: [Piece]?
    private let budget: AnalysisBudget

    /// - Parameters:
    ///   - conditions: the conditions, and what each of them shall say.
    ///   - pieces: elements that the array must have whose text is looked for; `nil` if it is no array's.
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

    /// Looks for a text whose value `accepts` agrees to, by the rule engine itself.
    func run(accepts: (JSValue) -> Bool) -> Outcome {
        var machines = conditions.map { ExploredMachine($0.machine, isWanted: $0.wanted, alphabet.symbols) }
        // The machines' states, the pieces that are there, and the place in the array.
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

    /// As the value of the attribute `name` this makes the JavaScript SDK see no attributes at all, so it is never
    /// needed.
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

    /// Takes each step after which all machines may still say what is wanted.
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

    /// Writes the states behind those of all machines. Returns whether one of them will never say what is wanted; then
    /// only some are written.
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
