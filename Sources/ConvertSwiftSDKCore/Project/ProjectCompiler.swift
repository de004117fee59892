internal import ConvertECMAScript

/// Compiles a config, step by step, to the parts of a ``Project``.
struct ProjectCompiler: ~Copyable {
    let config: ProjectConfig
    let options: CompilationOptions
    let bucketing: BucketingManager
    private let adapter: RuleAdapter
    private(set) var rules: RuleCompiler
    private(set) var diagnostics: [ConfigDiagnostic] = []
    private(set) var experiences = ExperienceCatalog()
    private(set) var carried: CarriedFeatureReader
    /// For each experience the index of the first experience with its key, and of the first with its id.
    private var owners: [(key: Int, id: Int)] = []
    /// How many more audiences, segments and locations may be attached.
    private var roomForAttachments: Int
    /// For experiences whose id later experiences repeat: the variations by id.
    private var variationsOfOwners: [Int: [PropertyKey: Int]] = [:]

    /// Creates a compiler of `config`. Tests pass small limits.
    init(
        _ config: ProjectConfig, options: CompilationOptions, attachments: Int = ConfigLimits.attachments,
        variableValues: Int = ConfigLimits.variableValues, patternMemory: Int = ConfigLimits.patternMemory
    ) {
        self.config = config
        self.options = options
        bucketing = BucketingManager(options: options.bucketing)
        rules = RuleCompiler(
            semantics: options.semantics, keysAreCaseSensitive: options.keysAreCaseSensitive,
            patternMemory: patternMemory, patterns: options.patterns ?? PatternPool())
        adapter = RuleAdapter(semantics: options.semantics)
        roomForAttachments = attachments
        carried = CarriedFeatureReader(
            FeatureDeclarations(config.features), casting: VariableCasting(room: variableValues))
    }

    /// Compiles the rules of audiences, locations, segments and goals. Call ``indexExperiences()`` first.
    mutating func compileRuleSets() -> RuleSets {
        let audiences = config.audiences.enumerated().map { compile($1, at: $0) }
        let locations = compile(config.locations, \.rules, "location", at: "$.locations")
        let segments = compile(config.segments, \.rules, "segment", at: "$.segments")
        let goals = compile(config.goals, \.rules, "goal", at: "$.goals")
        return RuleSets(
            audiences: Rows(audiences), locations: Rows(locations), segments: Rows(segments), goals: Rows(goals))
    }

    /// Compiles the rules of each entity; `nil` for an entity without rules.
    private mutating func compile<Entity: ProjectConfig.Entity>(
        _ entities: [Entity], _ rules: KeyPath<Entity, RuleTree?>, _ kind: String, at path: String
    ) -> [CompiledRules?] where Entity.ID == EntityID {
        entities.enumerated().map { index, entity in
            entity[keyPath: rules].map {
                compile($0, of: "\(kind) \(entity.id.text.excerpt())", at: "\(path)[\(index)].rules")
            }
        }
    }

    private mutating func report(
        _ message: @autoclosure () -> String, at path: @autoclosure () -> String, remedy: String
    ) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        diagnostics.append(ConfigDiagnostic(path: path(), message: message(), remedy: remedy))
    }

    mutating func indexExperiences() {
        owners.reserveCapacity(config.experiences.count)
        for index in config.experiences.indices {
            let (key, id) = (config.experiences[index].entityKey.lookUp, config.experiences[index].id)
            let owner = (key: experiences.byKey.insert(key, at: index), id: experiences.byID.insert(id.key, at: index))
            owners.append(owner)
            if owner.id != index {
                report(
                    "a second experience with the id \(id.text.excerpt()): look-ups find the first one.",
                    at: "$.experiences[\(index)].id", remedy: "Give each experience an id of its own.")
            }
            if owner.key != index {
                report(
                    "a second experience with the key '\(key.name.excerpt())': look-ups find the first one.",
                    at: "$.experiences[\(index)].key", remedy: "Give each experience a key of its own.")
            }
        }
    }

    /// Compiles the rules of `entity`. Every diagnostic about the rules names the entity.
    private mutating func compile(
        _ tree: RuleTree, of entity: @autoclosure () -> String, at path: @autoclosure () -> String
    ) -> CompiledRules {
        let count = diagnostics.count
        let groups = adapter.flatten(tree, path: "", diagnostics: &diagnostics)
        let compiled = rules.compile(groups, diagnostics: &diagnostics)
        for index in count..<diagnostics.count {
            let problem = diagnostics[index]
            diagnostics[index] = ConfigDiagnostic(
                path: path() + problem.path, message: "\(entity()): \(problem.message)", remedy: problem.remedy)
        }
        return compiled
    }

    private mutating func compile(_ audience: ProjectConfig.Audience, at index: Int) -> AudienceRow {
        guard let tree = audience.rules else {
            return AudienceRow(test: .never, isPermanent: audience.isPermanent)
        }
        guard let exclusion = tree.bucketingExclusion else {
            let compiled = compile(
                tree, of: "audience \(audience.id.text.excerpt())", at: "$.audiences[\(index)].rules")
            return AudienceRow(test: .rules(compiled), isPermanent: audience.isPermanent)
        }
        let target = experiences.byKey[exclusion.experienceKey]
        if target == nil {
            report(
                "audience \(audience.id.text.excerpt()) asks for the unknown experience "
                    + "'\(exclusion.experienceKey.text.excerpt())', which counts as one that the visitor is not in.",
                at: "$.audiences[\(index)].rules", remedy: "Write the key of an experience.")
        }
        return AudienceRow(
            test: .bucketedInto(experience: target, negated: exclusion.isNegated),
            isPermanent: audience.isPermanent)
    }

    /// Compiles the experiences, with everything resolved that does not depend on a visitor.
    mutating func compileExperiences() {
        let audiencesByID = EntityIDIndex(config.audiences.lazy.map(\.id))
        let locationsByID = EntityIDIndex(config.locations.lazy.map(\.id))
        let segmentsByID = EntityIDIndex(config.segments.lazy.map(\.id))
        let archived = Set(config.archivedIDs)
        experiences.rows = Rows(capacity: config.experiences.count)
        for index in config.experiences.indices {
            let attached = attach(at: index, audiencesByID, segmentsByID)
            let variations = config.experiences[index].variations
            if variations.isEmpty {
                report(
                    "no variations: no visitor is bucketed.", at: "$.experiences[\(index)].variations",
                    remedy: "Add variations, or archive it.")
            }
            readFeatures(of: variations, at: index)
            find(variations, at: index)
            let layout = BucketLayout(variations: variations, version: config.experiences[index].version)
            let id = config.experiences[index].id
            experiences.rows.append(
                ExperienceRow(
                    index: index, keyOwner: owners[index].key, idOwner: owners[index].id,
                    variationCount: variations.count, environment: environmentGate(at: index),
                    isArchived: config.isArchiveUnreadable || (!archived.isEmpty && archived.contains(id.key)),
                    lacksAudiences: attached.areTooMany,
                    audienceMatching: config.experiences[index].audienceMatching,
                    location: locationGate(at: index, locationsByID), layout: layout.kind,
                    audiences: attached.audiences,
                    segments: attached.segments, hash: bucketing.hash(experienceID: id.text),
                    ranges: experiences.ranges.append(layout.ranges)))
        }
    }

    /// Attaches an experience's audiences and segments, in config order, as the reference collects them.
    private mutating func attach(
        at index: Int, _ audiencesByID: EntityIDIndex, _ segmentsByID: EntityIDIndex
    ) -> (audiences: TableRange, segments: TableRange, areTooMany: Bool) {
        let ids = config.experiences[index].audiences
        if ids.isEmpty { return (TableRange(), TableRange(), areTooMany: false) }
        var audiences: [Int32] = []
        var segments: [Int32] = []
        for id in ids {
            let isAudience = audiencesByID.append(id, to: &audiences, room: &roomForAttachments)
            let isSegment = segmentsByID.append(id, to: &segments, room: &roomForAttachments)
            if isAudience || isSegment || roomForAttachments < 0 { continue }
            report(
                "audience \(id.text.excerpt()) is not in the config; it restricts no visitor.",
                at: "$.experiences[\(index)].audiences", remedy: "Write the id of an audience or a segment.")
        }
        if roomForAttachments < 0 {
            reportTooManyAttachments(at: "$.experiences[\(index)].audiences")
            return (TableRange(), TableRange(), areTooMany: true)
        }
        audiences.sortAndMakeUnique()
        segments.sortAndMakeUnique()
        if config.experiences[index].audienceMatching == .missing && !audiences.isEmpty {
            report(
                "settings.matching_options is missing though audiences are attached.",
                at: "$.experiences[\(index)].settings",
                remedy: "Write {\"matching_options\": {\"audiences\": \"all\"}} as settings, or \"any\" if one of the "
                    + "audiences is enough.")
        }
        let segmentIDs = TableRange(start: experiences.segmentIDs.count, count: segments.count)
        experiences.segmentIDs += segments.map { config.segments[Int($0)].id }
        return (experiences.attachments.append(audiences), segmentIDs, areTooMany: false)
    }

    private mutating func reportTooManyAttachments(at path: @autoclosure () -> String) {
        report(
            "more than \(ConfigLimits.attachments) audiences and locations are attached: no visitor is eligible.",
            at: path(), remedy: "Attach fewer of them.")
    }

    private mutating func readFeatures(of variations: [ProjectConfig.Variation], at index: Int) {
        let hadRoom = !carried.isExhausted
        carried.readFeatures(of: variations, at: index)
        if hadRoom && carried.isExhausted {
            report(
                "feature variables hold more than \(ConfigLimits.variableValues) values in JSON text: further ones "
                    + "stay text.", at: "$.experiences[\(index)].variations",
                remedy: "Let the features of variations carry fewer values.")
        }
    }

    /// Records which variations the reference finds by the ids of `variations`, unless each id finds its own variation.
    private mutating func find(_ variations: [ProjectConfig.Variation], at index: Int) {
        let owner = owners[index].id
        let numericIDs = options.semantics.findsNumericVariationIDs
        if owner == index, variations.haveUniqueIDs(numericIDs: numericIDs) { return }
        // Computed once, even if many experiences repeat the id.
        let indexOfOwner =
            variationsOfOwners[owner] ?? config.experiences[owner].variations.index(numericIDs: numericIDs)
        if owner != index { variationsOfOwners[owner] = indexOfOwner }
        let found = variations.map { variation in variation.id.flatMap { indexOfOwner[$0.key] } }
        if !found.enumerated().allSatisfy({ $0 == $1 }) { experiences.foundVariations[index] = found }
    }

    private mutating func environmentGate(at index: Int) -> ExperienceRow.EnvironmentGate {
        switch config.experiences[index].environment {
        case .anywhere: return .anywhere
        case .nowhere: return .nowhere
        case .only(let name):
            let key = PropertyKey(name)
            return .only(
                Int32(
                    truncatingIfNeeded: experiences.environments.index(of: key) ?? experiences.environments.append(key))
            )
        }
    }

    private mutating func locationGate(at index: Int, _ locationsByID: EntityIDIndex) -> ExperienceRow.LocationGate {
        if config.experiences[index].hasLocations {
            var locations: [Int32] = []
            for id in config.experiences[index].locations {
                _ = locationsByID.append(id, to: &locations, room: &roomForAttachments)
            }
            if roomForAttachments < 0 {
                reportTooManyAttachments(at: "$.experiences[\(index)].locations")
                return .locations(TableRange())
            }
            locations.sortAndMakeUnique()
            if locations.isEmpty {
                report(
                    "none of the attached locations is in the config: no visitor is eligible.",
                    at: "$.experiences[\(index)].locations",
                    remedy: "Attach a location that the config has, or none to let visitors in everywhere.")
            }
            return .locations(experiences.attachments.append(locations))
        }
        if let siteArea = config.experiences[index].siteArea {
            let id = config.experiences[index].id.text
            return .siteArea(
                compile(siteArea, of: "experience \(id.excerpt())", at: "$.experiences[\(index)].site_area"))
        }
        return .unrestricted
    }
}

extension RuleTree {
    /// The experience and the negation in the tree's ``exclusion``; `nil` if the tree has no such leaf.
    fileprivate var bucketingExclusion: (experienceKey: PropertyKey, isNegated: Bool)? {
        guard let leaf = exclusion else { return nil }
        var isNegated = false
        if case .operation(_, let negated) = leaf.matching { isNegated = negated?.isTruthy ?? false }
        return (ECMAScript.toPropertyKey(leaf.value), isNegated)
    }
}

extension Rows {
    /// Adds `rows`, and returns their range.
    fileprivate mutating func append(_ rows: [Row]) -> TableRange {
        let start = count
        for row in rows { append(row) }
        return TableRange(start: start, count: rows.count)
    }
}
