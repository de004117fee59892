package import ConvertECMAScript

extension ProjectConfig {
    /// An A/B test, a rollout or a feature experiment, with its variations and the rules that select its visitors.
    public struct Experience: Entity {
        /// How many of the attached audiences must match.
        public enum Matching: Sendable, Hashable, BitwiseCopyable {
            /// At least one audience must match.
            case any
            /// All audiences must match.
            case all
            /// The config has no `settings.matching_options`. The JavaScript SDK throws if it has to check audiences.
            case missing
        }

        /// The environment in which an experience runs.
        public enum Environment: Sendable, Hashable {
            /// Every environment: the config names no environment.
            case anywhere
            /// The environment of this name.
            case only(String)
            /// No environment: the config has a value here that is not a string.
            case nowhere
        }

        /// The id. It is part of the hash input of a visitor.
        public let id: EntityID

        // Stored here, these two fit into the padding behind `id`.

        /// How the attached audiences combine.
        public let audienceMatching: Matching

        /// Whether the config attaches locations, even unusable ones. If it does, ``siteArea`` is ignored.
        public let hasLocations: Bool

        /// The key, or `nil` if the config has no key.
        public var key: String? { entityKey.text }

        package let entityKey: EntityKey

        /// The display name.
        public let name: String?

        /// The type, such as `a/b_fullstack`.
        public let type: String?

        /// The status. Decisions ignore it: a config lists only experiences that run.
        public let status: String?

        /// The version, which selects the bucketing layout: above 11 it is ``BucketLayoutKind/anchored``. A value that
        /// is not a number is converted as in ECMAScript; a missing version is NaN.
        public let version: Double

        /// The environment in which the experience runs.
        public let environment: Environment

        /// The environments in which the experience was published. Only ``environment`` restricts visitors.
        public let environments: [String]

        /// Ids of the attached locations. At least one of them must match.
        public package(set) var locations: [EntityID]

        /// A rule graph over location properties, used if no locations are attached; `nil` means no restriction.
        public let siteArea: RuleTree?

        /// Ids of the attached audiences and segments.
        public package(set) var audiences: [EntityID]

        /// Ids of the goals that the experience measures. Decisions ignore them.
        public let goals: [EntityID]

        /// The variations in config order.
        public package(set) var variations: [ProjectConfig.Variation]
    }
}

extension ProjectConfig.Experience {
    /// Creates an experience from its JSON value. Returns `nil` if it has no usable id or is nested too deeply.
    package init?(_ value: JSValue) {
        let experience = value.withConfigCursor { cursor in
            var reader = ConfigReader()
            return ProjectConfig.Experience(cursor, &reader)
        }
        guard case let experience?? = experience else { return nil }
        self = experience
    }

    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor, mustBeTruthy: true) else { return nil }
        self.id = id
        // Members are looked up in config order, so that each is found right after the one before it.
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
        // A list without usable locations still restricts: no visitor is at any of its locations.
        hasLocations = locations.map { $0.isArray && $0.count > 0 } ?? false
        self.siteArea = reader.rules(siteArea)
        self.audiences = reader.ids(audiences)
        self.goals = reader.ids(goals)
        self.variations = reader.entities(variations) { ProjectConfig.Variation($0, &$1) }
    }
}

extension ProjectConfig.Experience.Environment {
    fileprivate init(_ cursor: JSONCursor?) {
        if let cursor, cursor.isTruthy { self = cursor.text.map(Self.only) ?? .nowhere } else { self = .anywhere }
    }
}

extension ProjectConfig.Experience.Matching {
    fileprivate init(_ settings: JSONCursor?) {
        // If the options are not an object, the reference reads a missing member from them, which means `any`.
        let options = settings?.present(.matchingOptions)
        self = options.map { $0[.audiences]?.isText("all") == true ? .all : .any } ?? .missing
    }
}
