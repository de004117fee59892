/// The finding of one gate on the way to a decision.
enum DecisionFact {
    /// The visitor previews the experience, so the other gates are skipped.
    case preview
    case archived(Bool)
    /// The environment of the call, the environment in which the experience runs, and the environments in which the
    /// experience was published.
    case environment(asked: String, runsIn: ProjectConfig.Experience.Environment, published: [String])
    case storedDecision(StoredVariation?)
    case location(LocationFinding)
    /// The number of audiences that match, that were checked, and that are attached, and how many must match.
    case audiences(matched: Int, checked: Int, needed: ProjectConfig.Experience.Matching, attached: Int)
    /// The rules of an audience have a `null` instead of an object.
    case malformedAudience
    case segments([String])
    case variations(Int)
    case selection(SelectionFinding)

    struct StoredVariation {
        let id: String
        /// The variation's key; `nil` if the config has no such variation or no key for it.
        let key: String?
        let isInConfig: Bool
    }

    /// How the location gate reached its answer.
    enum LocationFinding {
        /// The call ignores location properties.
        case ignored
        /// The call has no location properties, although they are required.
        case missing
        /// The experience has neither locations nor a site area.
        case unrestricted
        /// The rules of the locations or of the site area decided.
        case rules(RuleVerdict)
    }

    /// The selection after all gates were passed.
    enum SelectionFinding {
        case stored
        case forced
        case bucketed(value: Int)
        /// No arm contains the bucket value.
        case unowned(value: Int)
    }
}

/// The entity whose rules are evaluated, by its index in the config.
enum RuleSubject {
    case audience(Int)
    case location(Int)
    case siteArea
    case segment(Int)
    case goal(key: String)
}
