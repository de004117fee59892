internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A statement about a visitor: conditions on attributes and facts that are stored, combined.
///
/// Negations stand at the leaves.
indirect enum Formula: Hashable, Sendable {
    case literal(Literal)
    /// All of them hold.
    case all([Formula])
    /// Some of them holds.
    case any([Formula])

    /// One condition or fact, or its opposite.
    struct Literal: Hashable, Sendable {
        let proposition: Proposition
        let isWanted: Bool
    }

    /// What a literal is about.
    enum Proposition: Hashable, Sendable {
        /// A condition, by its number in its ``ConditionPool``, on attributes of a kind.
        case condition(Int, Scope)
        /// That a decision is stored for an experience, by its id.
        case storedDecision(String)
        /// That the visitor is in a custom segment.
        case customSegment(EntityID)
        /// That the visitor's bucket value in an experience, by its id, is one of these.
        case bucket(String, BucketSet)
        /// That the call is made in an environment.
        case environment(PropertyKey)
    }

    /// Whose properties a condition is on.
    enum Scope: UInt8, Hashable, Sendable {
        case visitor, location
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

    /// How many literals it has.
    var literalCount: Int {
        switch self {
        case .literal: 1
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.literalCount }
        }
    }

    /// Whether some part of it is `formula` or the opposite.
    func mentions(_ formula: Formula) -> Bool {
        if self == formula || self == formula.negated { return true }
        return switch self {
        case .literal: false
        case .all(let parts), .any(let parts): parts.contains { $0.mentions(formula) }
        }
    }

    /// Whether it always holds, or never, by its form alone.
    var known: Bool? {
        switch self {
        case .literal: nil
        case .all(let parts): parts.isEmpty ? true : nil
        case .any(let parts): parts.isEmpty ? false : nil
        }
    }

    /// Both, simplified where one is known.
    static func && (left: Formula, right: Formula) -> Formula {
        switch (left.known, right.known) {
        case (false, _), (_, false): .fails
        case (true, _): right
        case (_, true): left
        default: .all([left, right])
        }
    }

    /// Either, simplified where one is known.
    static func || (left: Formula, right: Formula) -> Formula {
        switch (left.known, right.known) {
        case (true, _), (_, true): .holds
        case (false, _): right
        case (_, false): left
        default: .any([left, right])
        }
    }

    /// All of `parts`, simplified.
    static func every(_ parts: [Formula]) -> Formula {
        if parts.contains(where: { $0.known == false }) { return .fails }
        let rest = parts.filter { $0.known == nil }
        return rest.count == 1 ? rest[0] : .all(rest)
    }

    /// Some of `parts`, simplified.
    static func some(_ parts: [Formula]) -> Formula {
        if parts.contains(where: { $0.known == true }) { return .holds }
        let rest = parts.filter { $0.known == nil }
        return rest.count == 1 ? rest[0] : .any(rest)
    }
}
