public import ConvertECMAScript

/// An experience: an A/B test, a rollout or a feature experiment with its variations and the rules of who sees it.
public struct Experience: Sendable {
    /// Which of the attached audiences must match.
    public enum Matching: Sendable, Hashable {
        /// Any of them.
        case any
        /// All of them.
        case all
        /// The config has no `settings.matching_options`, where the reference throws if audiences are to be checked.
        case missing
    }

    /// The id. Part of what a visitor is hashed with.
    public let id: EntityID

    /// The key as the reference compares it: absent is the text `undefined`.
    public let key: String

    /// The name people gave it.
    public let name: String?

    /// The type, such as `a/b_fullstack`.
    public let type: String?

    /// The status. It decides nothing: a config lists what runs.
    public let status: String?

    /// The layout's version: above 11 the anchored one. What is no number on the wire is what ECMAScript makes of it.
    public let version: Double

    /// The only environment in which it runs; anywhere if absent or empty. Another type than text matches nowhere.
    public let environment: JSValue?

    /// The environments in which it was published; informational.
    public let environments: [String]

    /// Ids of the attached locations, any of which must match.
    public let locations: [EntityID]

    /// Whether the config attaches locations, be they usable or not. Then ``siteArea`` is not looked at.
    public let hasLocations: Bool

    /// A rule graph over location properties, used if no locations are attached; `nil` if there is no restriction.
    public let siteArea: RuleTree?

    /// Ids of the attached audiences and segments.
    public let audiences: [EntityID]

    /// Ids of the goals measured; informational.
    public let goals: [EntityID]

    /// How the attached audiences combine.
    public let audienceMatching: Matching

    /// The variations in config order.
    public let variations: [Variation]
}

extension Experience: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, key, name, type, status, version, environment, environments, locations, audiences, goals, settings
        case variations
        case siteArea = "site_area"
    }

    private struct Settings: Decodable {
        let matching: Matching

        private enum CodingKeys: String, CodingKey { case matchingOptions = "matching_options" }
        private enum OptionKeys: String, CodingKey { case audiences }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let options = try? container.nestedContainer(keyedBy: OptionKeys.self, forKey: .matchingOptions) {
                matching = options.ifValid(.audiences, as: String.self) == "all" ? .all : .any
            } else {
                // Of a value that is not `null` the reference reads a member that is not there, which means any.
                matching = container.ifValid(.matchingOptions, as: JSValue.self) == nil ? .missing : .any
            }
        }
    }

    /// Decodes an experience; only a missing id fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.truthyEntityID(.id)
        key = container.entityKey(.key)
        name = container.ifValid(.name)
        type = container.ifValid(.type)
        status = container.ifValid(.status)
        version =
            container.ifValid(.version, as: Double.self)
            ?? ECMAScript.toNumber(container.value(.version))
        environment =
            container.ifValid(.environment, as: String.self).map(JSValue.string)
            ?? container.value(.environment, unreadable: true)
        environments = container.list(.environments)
        locations = container.list(.locations)
        // A list of nothing usable still restricts: nobody is where it asks for.
        hasLocations = !locations.isEmpty || container.hasElements(.locations)
        siteArea = container.rules(.siteArea)
        audiences = container.list(.audiences)
        goals = container.list(.goals)
        audienceMatching = container.ifValid(.settings, as: Settings.self)?.matching ?? .missing
        variations = container.list(.variations)
    }
}

extension KeyedDecodingContainer {
    /// An entity's key as the reference compares it: `String(entity.key)`.
    func entityKey(_ key: Key) -> String {
        ifValid(key, as: String.self) ?? ECMAScript.toString(value(key))
    }

    /// Whether the member is a list that is not empty.
    fileprivate func hasElements(_ key: Key) -> Bool {
        guard contains(key), let list = try? nestedUnkeyedContainer(forKey: key) else { return false }
        return !list.isAtEnd
    }

    /// A rule graph, or `nil` where the reference sees none: a missing member and what ToBoolean makes false.
    func rules(_ key: Key) -> RuleTree? {
        guard contains(key), (try? decodeNil(forKey: key)) != true else { return nil }
        let tree = try? decode(RuleTree.self, forKey: key)
        // Only what holds no rules needs a second look, which tells an object from what counts as nothing.
        if tree?.blocks.isEmpty != false, value(key, unreadable: true)?.isTruthy != true { return nil }
        return tree
    }
}
