import ConvertAnalysis
import ConvertSwiftSDK

/// A condition that makes a comparison of configs fail.
enum DiffCondition {
    /// More than this share of an experience's visitors gets another variation.
    case moved(Double)
    case entered, left, disturbed, renamed, features, undecided, any, never

    private static let byName: [(name: String, condition: DiffCondition)] = [
        ("moved", .moved(0)), ("entered", .entered), ("left", .left), ("disturbed", .disturbed), ("renamed", .renamed),
        ("features", .features), ("undecided", .undecided), ("any", .any), ("never", .never),
    ]

    /// The names of conditions.
    static let names = byName.map(\.name)

    /// Parses a comma-separated list of conditions. Returns each condition with its text.
    static func list(
        _ text: String, for argument: String
    ) throws(UsageError) -> [(text: String, condition: DiffCondition)] {
        var conditions: [(text: String, condition: DiffCondition)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let text = part.filter { $0 != " " }
            conditions.append((text, try condition(text, for: argument)))
        }
        return conditions
    }

    private static func condition(_ text: String, for argument: String) throws(UsageError) -> DiffCondition {
        if let known = byName.first(where: { $0.name == text }) { return known.condition }
        if text.hasPrefix("moved>") {
            let number = text.dropFirst("moved>".count)
            // A share above 1 is impossible, and 1 was probably meant as a percentage.
            guard let share = Arguments.number(number), (0..<1).contains(share) else {
                throw UsageError("\(argument): '\(number)' is not a share below 100 %; write moved>1% or moved>0.01")
            }
            return .moved(share)
        }
        let unknown = UnknownName("condition", text, among: names)
        throw UsageError(
            "\(argument): unknown '\(text)'\(unknown.question(then: "name some of \(names.joined(separator: ", "))"))")
    }

    /// Whether the condition holds for a difference.
    func holds(for difference: ConfigDifference) -> Bool {
        let experiences = difference.experiences
        return switch self {
        case .moved(let share):
            experiences.contains { experience in
                let counted = Double(experience.population?.moved ?? 0) / Double(max(1, difference.visitorCount ?? 0))
                return max(experience.moved, experience.storedMoved, counted) > share
                    // The share of these visitors is unknown.
                    || !experience.undealtMoves.isEmpty
            }
        case .entered: experiences.contains(where: \.isEntered)
        case .left: experiences.contains(where: \.isLeft)
        case .disturbed: !difference.disturbed.isEmpty
        case .renamed:
            experiences.contains { $0.oldKey != nil || !$0.renamedVariations.isEmpty }
                || !difference.goals.isEmpty || !difference.segments.isEmpty
                || difference.features.contains { $0.lostKey != nil }
        case .features: !difference.features.isEmpty
        case .undecided: experiences.contains(where: \.isUndecided)
        case .any: difference.changesAnswers
        case .never: false
        }
    }
}
