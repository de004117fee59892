package import ConvertECMAScript

// Configs that are made in Swift instead of being read.

extension Variation {
    /// A variation with `weight` percent of the visitors.
    package init(id: String, key: String, name: String?, weight: Double, isRunning: Bool, changes: [Change]) {
        self.init(
            id: EntityID(id), isRunning: isRunning, entityKey: EntityKey(key), name: name,
            trafficAllocation: JSValue(weight), changes: changes)
    }
}

extension Variation.Change {
    /// The change that carries a feature, with its variables.
    package init(featureID: String, variables: JSObject) {
        self.init(
            type: "fullStackFeature", data: ["feature_id": .string(featureID), "variables_data": .object(variables)])
    }
}

extension Experience {
    /// An experience that runs in `environment`, or everywhere.
    package init(
        id: String, key: String, name: String?, environment: String?, audiences: [String], matching: Matching,
        locations: [String], variations: [Variation]
    ) {
        self.init(
            id: EntityID(id), audienceMatching: matching, hasLocations: !locations.isEmpty, entityKey: EntityKey(key),
            name: name, type: "a/b_fullstack", status: "active", version: 12,
            environment: environment.map { .only($0) } ?? .anywhere, environments: environment.map { [$0] } ?? [],
            locations: locations.map { EntityID($0) }, siteArea: nil, audiences: audiences.map { EntityID($0) },
            goals: [], variations: variations)
    }

    /// The same experience with other attachments and variations.
    package func with(audiences: [EntityID], locations: [EntityID], variations: [Variation]) -> Experience {
        Experience(
            id: id, audienceMatching: audienceMatching, hasLocations: hasLocations, entityKey: entityKey, name: name,
            type: type, status: status, version: version, environment: environment, environments: environments,
            locations: locations, siteArea: siteArea, audiences: audiences, goals: goals, variations: variations)
    }
}

extension Variation {
    /// The same variation with other changes.
    package func with(changes: [Change]) -> Variation {
        Variation(
            id: id, isRunning: isRunning, entityKey: entityKey, name: name, trafficAllocation: trafficAllocation,
            changes: changes)
    }
}

extension Audience {
    /// An audience; without rules it never matches.
    package init(id: String, key: String, isPermanent: Bool, rules: RuleTree?) {
        self.init(id: EntityID(id), isPermanent: isPermanent, entityKey: EntityKey(key), name: nil, rules: rules)
    }
}

extension ProjectConfig.Location {
    /// A location; without rules it never matches.
    package init(id: String, key: String, rules: RuleTree?) {
        self.init(id: EntityID(id), entityKey: EntityKey(key), name: nil, rules: rules)
    }
}

extension ProjectConfig.Segment {
    /// A segment; without rules it never matches.
    package init(id: String, key: String, rules: RuleTree?) {
        self.init(id: EntityID(id), entityKey: EntityKey(key), name: nil, rules: rules)
    }
}

extension Feature {
    /// A feature with variables of declared types, in order.
    package init(id: String, key: String, name: String?, variables: [(key: String, type: String)]) {
        self.init(
            id: EntityID(id), entityKey: EntityKey(key), name: name,
            variables: variables.map { Variable(name: PropertyKey($0.key), type: $0.type) })
    }
}

extension Goal {
    /// A goal, with rules that a conversion's rule data must match if it brings any.
    package init(id: String, key: String, rules: RuleTree?) {
        self.init(id: EntityID(id), entityKey: EntityKey(key), name: nil, type: "code_trigger", rules: rules)
    }
}

extension ProjectConfig {
    /// A config of a project.
    package init(
        accountID: String, projectID: String, experiences: [Experience] = [], audiences: [Audience] = [],
        locations: [Location] = [], segments: [Segment] = [], features: [Feature] = [], goals: [Goal] = []
    ) {
        self.init(
            accountID: EntityID(accountID),
            project: Project(
                id: EntityID(projectID), name: nil, type: "fullstack", environments: nil, settings: nil),
            experiences: experiences, audiences: audiences, locations: locations, segments: segments,
            features: features, goals: goals, archivedIDs: [], isArchiveUnreadable: false)
    }

    /// The same config with other experiences.
    package func with(experiences: [Experience]) -> ProjectConfig {
        ProjectConfig(
            accountID: accountID, project: project, experiences: experiences, audiences: audiences,
            locations: locations,
            segments: segments, features: features, goals: goals, archivedIDs: archivedIDs,
            isArchiveUnreadable: isArchiveUnreadable, diagnostics: diagnostics)
    }
}
