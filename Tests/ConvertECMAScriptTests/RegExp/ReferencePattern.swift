/// A pattern as the reference matcher reads it, and its spelling for the engine under test.
indirect enum ReferencePattern {
    case empty
    case character(UInt16)
    /// Any unit but line terminators, or any at all where `s` holds.
    case dot
    case characterClass([ReferenceClassItem], isNegated: Bool)
    case escape(Character)
    case sequence([ReferencePattern])
    case alternation([ReferencePattern])
    case group(Int, ReferencePattern)
    case repetition(ReferencePattern, minimum: Int, maximum: Int?, isGreedy: Bool)
    case lookaround(ReferencePattern, isBehind: Bool, isNegative: Bool)
    case backReference(Int)
    case modifiers(added: String, removed: String, ReferencePattern)
    /// `^`, `$`, `b` or `B`.
    case assertion(Character)
}

enum ReferenceClassItem {
    case range(UInt16, UInt16)
    case escape(Character)
}

extension ReferencePattern {
    /// The pattern's text.
    var text: String {
        switch self {
        case .empty: "(?:)"
        case .character(let unit): spelled(unit)
        case .dot: "."
        case .characterClass(let items, let isNegated):
            "[\(isNegated ? "^" : "")\(items.map(\.text).joined())]"
        case .escape(let letter): "\\\(letter)"
        case .sequence(let items):
            items.map { if case .alternation = $0 { "(?:\($0.text))" } else { $0.text } }.joined()
        case .alternation(let items): items.map(\.text).joined(separator: "|")
        case .group(let number, let body): "(\(isNamed(number) ? "?<g\(number)>" : "")\(body.text))"
        case .repetition(let body, let minimum, let maximum, let isGreedy):
            body.atomText + quantifier(minimum, maximum) + (isGreedy ? "" : "?")
        case .lookaround(let body, let isBehind, let isNegative):
            "(?\(isBehind ? "<" : "")\(isNegative ? "!" : "=")\(body.text))"
        case .backReference(let number): isNamed(number) ? "\\k<g\(number)>" : "(?:\\\(number))"
        case .modifiers(let added, let removed, let body):
            "(?\(added)\(removed.isEmpty ? "" : "-" + removed):\(body.text))"
        case .assertion(let letter): letter == "^" || letter == "$" ? String(letter) : "\\\(letter)"
        }
    }

    /// Every third group has a name and is referred to by it.
    private func isNamed(_ number: Int) -> Bool { number % 3 == 2 }

    private var atomText: String {
        switch self {
        case .character, .dot, .characterClass, .escape, .group, .backReference, .modifiers: text
        case .lookaround(_, isBehind: false, _): text
        default: "(?:\(text))"
        }
    }

    private func quantifier(_ minimum: Int, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1?): "?"
        case (_, nil): "{\(minimum),}"
        case (_, let maximum?): minimum == maximum ? "{\(minimum)}" : "{\(minimum),\(maximum)}"
        }
    }
}

extension ReferenceClassItem {
    fileprivate var text: String {
        switch self {
        case .range(let first, let last): first == last ? spelled(first) : spelled(first) + "-" + spelled(last)
        case .escape(let letter): "\\\(letter)"
        }
    }
}

private func spelled(_ unit: UInt16) -> String {
    let scalar = Unicode.Scalar(unit)
    if let scalar, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return String(Character(scalar)) }
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}
