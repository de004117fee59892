package import ConvertECMAScript

// Initializers for configs that are built in Swift instead of being decoded.

extension ProjectConfig.Variation {
    /// Creates a variation that takes `weight` percent of the visitors.
    package init(id: String, key: String, name: String?, weight: Double, isRunning: Bool, changes: [Change]) {
        self.init(
            id: EntityID(id), isRunning: isRunning, entityKey: EntityKey(key), name: name,
            trafficAllocation: JSValue(weight), changes: changes)
    }
}

extension ProjectConfig.Variation.Change {
    package init(featureID: String, variables: JSObject) {
        self.init(
            type: "fullStackFeature", data: ["feature_id": .string(featureID), "variables_data": .object(variables)])
    }
}

extension ProjectConfig.Experience {
    /// Creates an experience that runs in `environment`, or in every environment if it is `nil`.
    package init(
        id: String, key: String, name: String?, environment: String?, audiences: [String], matching: Matching,
        locations: [String], variations: [ProjectConfig.Variation]
    ) {
        self.init(
            id: EntityID(id), audienceMatching: matching, hasLocations: !locations.isEmpty, entityKey: EntityKey(key),
            name: name, type: "a/b_fullstack", status: "active", version: 12,
            environment: environment.map { .only($0) } ?? .anywhere, environments: environment.map { [$0] } ?? [],
            locations: locations.map { EntityID($0) }, siteArea: nil, audiences: audiences.map { EntityID($0) },
            goals: [], variations: variations)
    }
}

extension ProjectConfig.Audience {
    /// Creates an audience; without rules it never matches.
    package init(id: String, key: String, isPermanent: Bool, rules: RuleTree?) {
        self.init(id: EntityID(id), isPermanent: isPermanent, entityKey: EntityKey(key), name: nil, rules: rules)
    }
}

extension ProjectConfig.Location {
    /// Creates a location; without rules it never matches.
    package init(id: String, key: String, rules: RuleTree?) {
        self.init(id: EntityID(id), entityKey: EntityKey(key), name: nil, rules: rules)
    }
}

extension ProjectConfig.Segment {
    /// Creates a segment; without rules it never matches.
    package init(id: String, key: String, rules: RuleTree?) {
        self.init(id: EntityID(id), entityKey: EntityKey(key), name: nil, rules: rules)
    }
}

extension ProjectConfig.Feature {
    package init(id: String, key: String, name: String?, variables: [(key: String, type: String)]) {
        self.init(
            id: EntityID(id), entityKey: EntityKey(key), name: name,
            variables: variables.map { Variable(name: PropertyKey($0.key), type: $0.type) })
    }
}

extension ProjectConfig.Goal {
    /// Creates a goal. Its rules apply only to conversions with rule data.
    package init(id: String, key: String, rules: RuleTree?) {
        self.init(id: EntityID(id), entityKey: EntityKey(key), name: nil, type: "code_trigger", rules: rules)
    }
}

extension ProjectConfig {
    package init(
        accountID: String, projectID: String, experiences: [Experience] = [], audiences: [Audience] = [],
        locations: [Location] = [], segments: [Segment] = [], features: [Feature] = [], goals: [Goal] = []
    ) {
        self.init(
            accountID: EntityID(accountID),
            project: Project(id: EntityID(projectID), name: nil, type: "fullstack", environments: nil, settings: nil),
            experiences: experiences, audiences: audiences, locations: locations, segments: segments,
            features: features, goals: goals, archivedIDs: [], isArchiveUnreadable: false)
    }
}
