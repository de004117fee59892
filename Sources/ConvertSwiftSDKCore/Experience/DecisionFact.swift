/// What one gate found on the way to a decision.
enum DecisionFact {
    /// The experience is previewed, and no other gate is asked.
    case preview
    /// Whether the experience is archived.
    case archived(Bool)
    /// The environment of the call, where the experience runs, and the environments in which it was published.
    case environment(asked: String, runsIn: Experience.Environment, published: [String])
    /// The stored decision for the experience, if there is one.
    case storedDecision(StoredVariation?)
    /// What came of locations or the site area.
    case location(LocationFinding)
    /// How many of the audiences to check match, and how many are attached.
    case audiences(matched: Int, checked: Int, needed: Experience.Matching, attached: Int)
    /// An audience has `null` where rules need an object.
    case malformedAudience
    /// The attached segments.
    case segments([String])
    /// The number of variations.
    case variations(Int)
    /// What was selected.
    case selection(SelectionFinding)

    /// A variation that is stored for an experience.
    struct StoredVariation {
        let id: String
        /// The variation's key, if the config has the variation and gives it one.
        let key: String?
        let isInConfig: Bool
    }

    /// How the location gate came to its answer.
    enum LocationFinding {
        /// The call ignores location properties.
        case ignored
        /// The call gives no location properties, though they decide.
        case missing
        /// The experience has neither locations nor a site area.
        case unrestricted
        /// The rules of locations or of the site area answered.
        case rules(RuleVerdict)
    }

    /// What was selected behind the gates.
    enum SelectionFinding {
        case stored
        case forced
        case bucketed(value: Int)
        /// No arm owns the bucket value.
        case unowned(value: Int)
    }
}

/// Whose rules are evaluated; entities by their indices in the config.
enum RuleSubject {
    case audience(Int)
    case location(Int)
    case siteArea
    case segment(Int)
    case goal(key: String)
}
