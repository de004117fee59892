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

    private let machines: [any TextMachine]
    private let wanted: [Bool]
    private let alphabet: Alphabet
    private let pieces: [Piece]?
    private let budget: AnalysisBudget

    /// - Parameters:
    ///   - conditions: the conditions, and what each of them shall say.
    ///   - pieces: elements that the array must have whose text is looked for; `nil` if it is no array's.
    init(_ conditions: [(machine: any TextMachine, wanted: Bool)], pieces: [JSValue]? = nil, budget: AnalysisBudget) {
        machines = conditions.map(\.machine)
        wanted = conditions.map(\.wanted)
        alphabet = Alphabet(for: machines, separator: pieces == nil ? nil : Self.separator)
        self.pieces = pieces?.map { value in
            let text = value.isNull ? "" : ECMAScript.toString(value)
            return Piece(value: value, units: Array(text.utf16), lower: Array(ECMAScript.toLowerCase(text).utf16))
        }
        self.budget = budget
        budget.spend(alphabet.symbols.count * machines.count)
    }

    /// Looks for a text whose value `accepts` agrees to, by the rule engine itself.
    func run(accepts: (JSValue) -> Bool) -> Outcome {
        let start = [Int32](repeating: 0, count: machines.count) + [0, Place.atElement.rawValue]
        var nodes = [Node(parent: -1, step: -1)]
        var states = [start]
        var known: Set<[Int32]> = [start]
        var isUnsure = false
        var trials = 0
        var index = 0
        while index < nodes.count {
            if answer(at: states[index]) != .no {
                trials += 1
                if trials > Self.mostTrials { return .undecided }
                let value = value(of: index, nodes)
                if accepts(value) { return .found(value) }
                isUnsure = isUnsure || value.stringValue != Self.ruleDataName
            }
            for (step, next) in steps(from: states[index]) where !isHopeless(next) && known.insert(next).inserted {
                nodes.append(Node(parent: index, step: step))
                states.append(next)
            }
            if nodes.count > budget.limits.states || budget.isExhausted { return .undecided }
            index += 1
        }
        return isUnsure ? .undecided : .empty
    }

    /// As the value of the attribute `name` this makes the JavaScript SDK see no attributes at all, so it is never
    /// needed.
    private static let ruleDataName = "RuleData"

    private func answer(at state: [Int32]) -> Truth {
        if let pieces, Int(state[machines.count]) != 1 << pieces.count - 1 { return .no }
        var result = Truth.yes
        for index in machines.indices {
            switch machines[index].truth(at: Int(state[index])).agrees(with: wanted[index]) {
            case .no: return .no
            case .unknown: result = .unknown
            case .yes: break
            }
        }
        return result
    }

    /// Whether some machine will never say what is wanted.
    private func isHopeless(_ state: [Int32]) -> Bool {
        machines.indices.contains { index in
            machines[index].isSettled(at: Int(state[index]))
                && machines[index].truth(at: Int(state[index])).agrees(with: wanted[index]) == .no
        }
    }

    private func steps(from state: [Int32]) -> [(step: Int, next: [Int32])] {
        let place = Place(rawValue: state[machines.count + 1]) ?? .inElement
        var result: [(step: Int, next: [Int32])] = []
        for (step, symbol) in alphabet.symbols.enumerated() {
            let isSeparator = symbol.units == [Self.separator]
            if place == .behindPiece, !isSeparator { continue }
            var next = advance(state, symbol.units, symbol.lower)
            if pieces != nil {
                next[machines.count + 1] = (isSeparator ? Place.atElement : .inElement).rawValue
            }
            result.append((step, next))
        }
        guard let pieces, place == .atElement else { return result }
        for (index, piece) in pieces.enumerated() where state[machines.count] & (1 << Int32(index)) == 0 {
            var next = advance(state, piece.units, piece.lower)
            next[machines.count] |= 1 << Int32(index)
            next[machines.count + 1] = Place.behindPiece.rawValue
            result.append((alphabet.symbols.count + index, next))
        }
        return result
    }

    private func advance(_ state: [Int32], _ units: [UInt16], _ lower: [UInt16]) -> [Int32] {
        var next = state
        for index in machines.indices {
            for unit in machines[index].readsLowerCase ? lower : units {
                next[index] = Int32(truncatingIfNeeded: machines[index].next(Int(next[index]), unit))
            }
        }
        budget.spend(machines.count)
        return next
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
            if pieces != nil, symbol.units == [Self.separator] {
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
