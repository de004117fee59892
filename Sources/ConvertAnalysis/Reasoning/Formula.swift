internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A statement about a visitor, which combines conditions on attributes and stored facts.
///
/// Only literals are negated.
indirect enum Formula: Hashable, Sendable {
    case literal(Literal)
    /// The conjunction: all parts hold.
    case all([Formula])
    /// The disjunction: at least one part holds.
    case any([Formula])

    /// A proposition or its opposite.
    struct Literal: Hashable, Sendable {
        let proposition: Proposition
        let isWanted: Bool
    }

    /// The subject of a literal.
    enum Proposition: Hashable, Sendable {
        /// The condition with this number in its ``ConditionPool``, on properties of a scope.
        case condition(Int, Scope)
        /// A decision is stored for the experience with this id.
        case storedDecision(String)
        /// The visitor is in the custom segment.
        case customSegment(EntityID)
        /// The visitor's bucket value in the experience with this id is in the set.
        case bucket(String, BucketSet)
        /// The call is made in the environment.
        case environment(PropertyKey)
    }

    /// The owner of the properties in a condition.
    enum Scope: UInt8, Hashable, Sendable {
        case visitor, location
    }

    /// The literals of a formula, found one by one.
    struct Literals: Sequence, IteratorProtocol {
        /// The parts that are still to be searched, the next one last.
        fileprivate var pending: [Formula]

        mutating func next() -> Literal? {
            while let formula = pending.popLast() {
                switch formula {
                case .literal(let literal): return literal
                case .all(let parts), .any(let parts): pending += parts.reversed()
                }
            }
            return nil
        }
    }

    static let holds = Formula.all([])
    static let fails = Formula.any([])

    init(_ holds: Bool) { self = holds ? .holds : .fails }

    /// The opposite.
    var negated: Formula {
        switch self {
        case .literal(let literal):
            .literal(Literal(proposition: literal.proposition, isWanted: !literal.isWanted))
        case .all(let parts): .any(parts.map(\.negated))
        case .any(let parts): .all(parts.map(\.negated))
        }
    }

    /// The literals, in order. A literal occurs as often as the formula contains it.
    var literals: Literals { Literals(pending: [self]) }

    /// Whether the formula holds if the propositions hold for which `isTrue` returns `true`.
    func holds(where isTrue: (Proposition) -> Bool) -> Bool {
        switch self {
        case .literal(let literal): isTrue(literal.proposition) == literal.isWanted
        case .all(let parts): parts.allSatisfy { $0.holds(where: isTrue) }
        case .any(let parts): parts.contains { $0.holds(where: isTrue) }
        }
    }

    /// The number of literals.
    var literalCount: Int {
        switch self {
        case .literal: 1
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.literalCount }
        }
    }

    /// Whether the formula contains `formula` or its opposite.
    func mentions(_ formula: Formula) -> Bool {
        if self == formula || self == formula.negated { return true }
        return switch self {
        case .literal: false
        case .all(let parts), .any(let parts): parts.contains { $0.mentions(formula) }
        }
    }

    /// The truth if it follows from the formula's form alone; otherwise `nil`.
    var known: Bool? {
        switch self {
        case .literal: nil
        case .all(let parts): parts.isEmpty ? true : nil
        case .any(let parts): parts.isEmpty ? false : nil
        }
    }

    /// The conjunction, simplified if one side is known.
    static func && (left: Formula, right: Formula) -> Formula {
        switch (left.known, right.known) {
        case (false, _), (_, false): .fails
        case (true, _): right
        case (_, true): left
        default: .all([left, right])
        }
    }

    /// The disjunction, simplified if one side is known.
    static func || (left: Formula, right: Formula) -> Formula {
        switch (left.known, right.known) {
        case (true, _), (_, true): .holds
        case (false, _): right
        case (_, false): left
        default: .any([left, right])
        }
    }

    /// The conjunction of `parts`, simplified.
    static func every(_ parts: [Formula]) -> Formula {
        if parts.contains(where: { $0.known == false }) { return .fails }
        let rest = parts.filter { $0.known == nil }
        return rest.count == 1 ? rest[0] : .all(rest)
    }

    /// The disjunction of `parts`, simplified.
    static func some(_ parts: [Formula]) -> Formula {
        if parts.contains(where: { $0.known == true }) { return .holds }
        let rest = parts.filter { $0.known == nil }
        return rest.count == 1 ? rest[0] : .any(rest)
    }
}
