package import ConvertECMAScript

/// An experience: an A/B test, a rollout or a feature experiment with its variations and the rules of who sees it.
public struct Experience: Sendable {
    /// Which of the attached audiences must match.
    public enum Matching: Sendable, Hashable, BitwiseCopyable {
        /// Any of them.
        case any
        /// All of them.
        case all
        /// The config has no `settings.matching_options`, where the reference throws if audiences are to be checked.
        case missing
    }

    /// The environment in which an experience runs.
    public enum Environment: Sendable, Hashable {
        /// Every environment: the config names none.
        case anywhere
        /// The environment of this name.
        case only(String)
        /// No environment: the config has a value here that is not a string.
        case nowhere
    }

    /// The id. Part of what a visitor is hashed with.
    public let id: EntityID

    // These two take no room of their own here.

    /// How the attached audiences combine.
    public let audienceMatching: Matching

    /// Whether the config attaches locations, be they usable or not. Then ``siteArea`` is not looked at.
    public let hasLocations: Bool

    /// The key, or `nil` if the config gives none.
    public var key: String? { entityKey.text }

    /// The key as look-ups compare it.
    package let entityKey: EntityKey

    /// The name people gave it.
    public let name: String?

    /// The type, such as `a/b_fullstack`.
    public let type: String?

    /// The status. It decides nothing: a config lists what runs.
    public let status: String?

    /// The layout's version: above 11 the anchored one. What is no number on the wire is what ECMAScript makes of it.
    public let version: Double

    /// Where it runs.
    public let environment: Environment

    /// The environments in which it was published. The list restricts nobody: only ``environment`` does.
    public let environments: [String]

    /// Ids of the attached locations, any of which must match.
    public let locations: [EntityID]

    /// A rule graph over location properties, used if no locations are attached; `nil` if there is no restriction.
    public let siteArea: RuleTree?

    /// Ids of the attached audiences and segments.
    public let audiences: [EntityID]

    /// Ids of the goals measured; informational.
    public let goals: [EntityID]

    /// The variations in config order.
    public let variations: [Variation]
}

extension Experience {
    /// The experience that `value` is on the wire; `nil` if it has no id.
    package init?(_ value: JSValue) {
        let experience = value.withConfigCursor { cursor in
            var reader = ConfigReader()
            return Experience(cursor, &reader)
        }
        guard case let experience?? = experience else { return nil }
        self = experience
    }

    /// Reads an experience; only a missing id leaves it out.
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor, mustBeTruthy: true) else { return nil }
        self.id = id
        // Looked up in the order in which a config has the members, so that each is found next to the one before it.
        name = cursor[.name]?.shownText
        type = cursor[.type]?.text
        status = cursor[.status]?.text
        environment = Environment(cursor[.environment])
        entityKey = EntityKey(cursor[.key])
        version = cursor[.version].map { $0.number ?? ECMAScript.toNumber($0.value) } ?? .nan
        let settings = cursor[.settings]
        let (locations, siteArea) = (cursor[.locations], cursor[.siteArea])
        let (audiences, goals) = (cursor[.audiences], cursor[.goals])
        let environments = cursor[.environments]
        let variations = cursor[.variations]
        audienceMatching = Matching(settings)
        self.environments = reader.texts(environments)
        self.locations = reader.ids(locations)
        // A list of nothing usable still restricts: nobody is where it asks for.
        hasLocations = locations.map { $0.isArray && $0.count > 0 } ?? false
        self.siteArea = reader.rules(siteArea)
        self.audiences = reader.ids(audiences)
        self.goals = reader.ids(goals)
        self.variations = reader.entities(variations) { Variation($0, &$1) }
    }
}

extension Experience.Environment {
    fileprivate init(_ cursor: JSONCursor?) {
        guard let cursor, cursor.isTruthy else {
            self = .anywhere
            return
        }
        self = cursor.text.map(Self.only) ?? .nowhere
    }
}

extension Experience.Matching {
    fileprivate init(_ settings: JSONCursor?) {
        // Of options that are something else than an object the reference reads a member that is not there, which means any.
        guard let options = settings?.present(.matchingOptions) else {
            self = .missing
            return
        }
        self = options[.audiences]?.isText("all") == true ? .all : .any
    }
}
