internal import ConvertECMAScript

/// Builds a ``CompiledProject``.
struct ProjectCompiler {
    let config: ProjectConfig
    let options: CompilationOptions
    let bucketing: BucketingManager
    private(set) var rules: RuleCompiler
    private(set) var diagnostics: [ConfigDiagnostic] = []
    private(set) var experiences: [CompiledExperience] = []
    private(set) var attachments: [Int32] = []
    private(set) var segmentIDs: [EntityID] = []
    private(set) var ranges: [BucketLayout.Range] = []
    private(set) var environments = KeyTable()
    private(set) var foundVariations: [Int: [Int?]] = [:]
    private(set) var carriedFeatures: [Int: [[CarriedFeature]]] = [:]
    private(set) var audiences: [CompiledAudience] = []
    private(set) var locations: [CompiledLocation] = []
    private(set) var segmentRules: [CompiledRules?] = []
    private(set) var goalRules: [CompiledRules?] = []
    private(set) var declaredFeatures: [Int] = []
    private(set) var featuresByKey = EntityIndex()
    private(set) var goalsByKey = EntityIndex()
    private(set) var carriers: [PropertyKey: [Int]] = [:]
    private(set) var experiencesByKey = EntityIndex()
    private(set) var experiencesByID = EntityIndex()

    private let adapter: RuleAdapter
    /// For each experience the index of the first one with its key, and of the first one with its id.
    private var owners: [(key: Int, id: Int)] = []
    /// How many more audiences, segments and locations may be attached.
    private var roomForAttachments: Int

    init(_ config: ProjectConfig, options: CompilationOptions, attachments: Int = ConfigLimits.attachments) {
        self.config = config
        self.options = options
        bucketing = BucketingManager(options: options.bucketing)
        rules = RuleCompiler(semantics: options.semantics, keysAreCaseSensitive: options.keysAreCaseSensitive)
        adapter = RuleAdapter(semantics: options.semantics)
        roomForAttachments = attachments
        indexExperiences()
        audiences = config.audiences.enumerated().map { compile($1, at: $0) }
        locations = config.locations.enumerated().map { index, location in
            CompiledLocation(
                rules: location.rules.map {
                    compile($0, of: "location \(location.id)", at: "$.locations[\(index)].rules")
                }, key: location.key)
        }
        segmentRules = config.segments.enumerated().map { index, segment in
            segment.rules.map { compile($0, of: "segment \(segment.id)", at: "$.segments[\(index)].rules") }
        }
        goalRules = config.goals.enumerated().map { index, goal in
            goal.rules.map { compile($0, of: "goal \(goal.id)", at: "$.goals[\(index)].rules") }
        }
        for (index, goal) in config.goals.enumerated() { goalsByKey.insert(PropertyKey(goal.key), at: index) }
        compileExperiences(declarations: indexFeatures())
    }

    private mutating func report(_ message: String, at path: String) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        diagnostics.append(ConfigDiagnostic(path: path, message: message))
    }

    private mutating func indexExperiences() {
        owners.reserveCapacity(config.experiences.count)
        for (index, experience) in config.experiences.enumerated() {
            let owner = (
                key: experiencesByKey.insert(PropertyKey(experience.key), at: index),
                id: experiencesByID.insert(experience.id.key, at: index)
            )
            owners.append(owner)
            if owner.id != index {
                report(
                    "a second experience with the id \(experience.id): look-ups find the first one.",
                    at: "$.experiences[\(index)].id")
            }
            if owner.key != index {
                report(
                    "a second experience with the key '\(experience.key)': look-ups find the first one.",
                    at: "$.experiences[\(index)].key")
            }
        }
    }

    /// Compiles the rules of `entity`, which every warning about them names.
    private mutating func compile(
        _ tree: RuleTree, of entity: @autoclosure () -> String, at path: @autoclosure () -> String
    ) -> CompiledRules {
        var found: [ConfigDiagnostic] = []
        let compiled = rules.compile(tree, flattenedBy: adapter, path: "", diagnostics: &found)
        for problem in found { report("\(entity()): \(problem.message)", at: path() + problem.path) }
        return compiled
    }

    private mutating func compile(_ audience: Audience, at index: Int) -> CompiledAudience {
        guard let tree = audience.rules else {
            return CompiledAudience(test: .never, isPermanent: audience.isPermanent)
        }
        guard let exclusion = tree.bucketingExclusion else {
            let compiled = compile(tree, of: "audience \(audience.id)", at: "$.audiences[\(index)].rules")
            return CompiledAudience(test: .rules(compiled), isPermanent: audience.isPermanent)
        }
        let target = experiencesByKey[PropertyKey(exclusion.experienceKey)]
        if target == nil {
            report(
                "audience \(audience.id) asks for the unknown experience '\(exclusion.experienceKey)', which counts as "
                    + "one that the visitor is not in.", at: "$.audiences[\(index)].rules")
        }
        return CompiledAudience(
            test: .bucketedInto(experience: target, negated: exclusion.isNegated),
            isPermanent: audience.isPermanent)
    }

    /// Indexes the features and returns the declaration of each id.
    private mutating func indexFeatures() -> [PropertyKey: Int] {
        var declarations: [PropertyKey: Int] = [:]
        var ids: [PropertyKey] = []
        for (index, feature) in config.features.enumerated() {
            featuresByKey.insert(PropertyKey(feature.key), at: index)
            if declarations.updateValue(index, forKey: feature.id.key) == nil { ids.append(feature.id.key) }
        }
        declaredFeatures = ECMAScript.ownPropertyKeyOrder(ids.map(\.name)).compactMap { declarations[ids[$0]] }
        return declarations
    }

    private mutating func compileExperiences(declarations: [PropertyKey: Int]) {
        let audiencesByID = EntityIDIndex(config.audiences.map { $0.id })
        let locationsByID = EntityIDIndex(config.locations.map { $0.id })
        let segmentsByID = EntityIDIndex(config.segments.map { $0.id })
        let archived = Set(config.archivedExperiences.map { PropertyKey($0) })
        let featureTypes = config.features.map(CarriedFeature.types)
        experiences.reserveCapacity(config.experiences.count)
        for (index, experience) in config.experiences.enumerated() {
            let attached = attach(to: experience, audiencesByID, segmentsByID, at: index)
            if experience.variations.isEmpty {
                report("no variations: nobody is bucketed.", at: "$.experiences[\(index)].variations")
            }
            compileFeatures(of: experience, declarations, featureTypes, at: index)
            findVariations(of: experience, at: index)
            let layout = BucketLayout(variations: experience.variations, version: experience.version)
            experiences.append(
                CompiledExperience(
                    index: index,
                    isArchived: config.isArchiveUnreadable
                        || (!archived.isEmpty && archived.contains(experience.id.key)),
                    environment: environmentGate(of: experience),
                    location: locationGate(of: experience, locationsByID, at: index), audiences: attached.audiences,
                    hasUnusableAudience: attached.hasUnusable, audienceMatching: experience.audienceMatching,
                    segments: attached.segments, variationCount: experience.variations.count,
                    keyOwner: owners[index].key, idOwner: owners[index].id,
                    hash: bucketing.hash(experienceID: experience.id.text), layout: layout.kind,
                    ranges: Self.append(layout.ranges, to: &ranges)))
        }
    }

    /// The audiences and segments that an experience attaches, in config order, as the reference collects them.
    private mutating func attach(
        to experience: Experience, _ audiencesByID: EntityIDIndex, _ segmentsByID: EntityIDIndex, at index: Int
    ) -> (audiences: PoolRange, segments: PoolRange, hasUnusable: Bool) {
        var audiences: [Int] = []
        audiences.reserveCapacity(experience.audiences.count)
        var segments: [Int] = []
        var hasUnusable = false
        for id in experience.audiences {
            if id.kind == .unusable { hasUnusable = true }
            let isAudience = append(id, of: audiencesByID, to: &audiences)
            let isSegment = append(id, of: segmentsByID, to: &segments)
            if isAudience || isSegment || roomForAttachments < 0 { continue }
            report("audience \(id) is not in the config; it restricts nobody.", at: "$.experiences[\(index)].audiences")
        }
        if roomForAttachments < 0 && !experience.audiences.isEmpty {
            reportTooManyAttachments(at: "$.experiences[\(index)].audiences")
            return (PoolRange(), PoolRange(), hasUnusable: true)
        }
        if experience.audienceMatching == .missing && !audiences.isEmpty {
            report(
                "settings.matching_options is missing though audiences are attached.",
                at: "$.experiences[\(index)].settings")
        }
        audiences.sortAndMakeUnique()
        segments.sortAndMakeUnique()
        return (
            attach(audiences), Self.append(segments.map { config.segments[$0].id }, to: &segmentIDs), hasUnusable
        )
    }

    /// Appends the entities with the id `id`, as long as there is room for them, and says whether there are any.
    private mutating func append(_ id: EntityID, of index: EntityIDIndex, to indices: inout [Int]) -> Bool {
        if index.isEmpty || roomForAttachments < 0 { return false }
        let count = indices.count
        let isFound = index.append(id, to: &indices, limit: roomForAttachments + 1)
        roomForAttachments -= indices.count - count
        return isFound
    }

    private mutating func reportTooManyAttachments(at path: String) {
        report(
            "more than \(ConfigLimits.attachments) audiences and locations are attached: nobody is eligible.", at: path)
    }

    private mutating func compileFeatures(
        of experience: Experience, _ declarations: [PropertyKey: Int], _ types: [JSObject], at index: Int
    ) {
        guard experience.variations.contains(where: { !$0.changes.isEmpty }) else { return }
        let features = experience.variations.map { CarriedFeature.all(in: $0, declarations, types) }
        guard features.contains(where: { !$0.isEmpty }) else { return }
        for id in Set(features.joined().map(\.id)) { carriers[id, default: []].append(index) }
        carriedFeatures[index] = features
    }

    /// Notes where the reference finds the variations again, if that is not where they stand.
    private mutating func findVariations(of experience: Experience, at index: Int) {
        let owner = owners[index].id
        let numericIDs = options.semantics.findsNumericVariationIDs
        if owner == index, experience.findsItsVariations(numericIDs: numericIDs) { return }
        let found = config.experiences[owner].indices(of: experience.variations, numericIDs: numericIDs)
        if !found.enumerated().allSatisfy({ $0 == $1 }) { foundVariations[index] = found }
    }

    private mutating func attach(_ indices: [Int]) -> PoolRange {
        let start = attachments.count
        for index in indices { attachments.append(Int32(truncatingIfNeeded: index)) }
        return PoolRange(start: start, count: indices.count)
    }

    private static func append<Element>(_ elements: [Element], to pool: inout [Element]) -> PoolRange {
        pool += elements
        return PoolRange(start: pool.count - elements.count, count: elements.count)
    }

    private mutating func environmentGate(of experience: Experience) -> CompiledExperience.EnvironmentGate {
        guard let environment = experience.environment, environment.isTruthy else { return .anywhere }
        guard let name = environment.stringValue else { return .nowhere }
        let key = PropertyKey(name)
        return .only(environments.index(of: key) ?? environments.append(key))
    }

    private mutating func locationGate(
        of experience: Experience, _ locationsByID: EntityIDIndex, at index: Int
    ) -> CompiledExperience.LocationGate {
        if experience.hasLocations {
            var attached: [Int] = []
            for id in experience.locations { _ = append(id, of: locationsByID, to: &attached) }
            if roomForAttachments < 0 {
                reportTooManyAttachments(at: "$.experiences[\(index)].locations")
                return .locations(PoolRange())
            }
            attached.sortAndMakeUnique()
            if attached.isEmpty {
                report(
                    "none of the attached locations is in the config: nobody is eligible.",
                    at: "$.experiences[\(index)].locations")
            }
            return .locations(attach(attached))
        }
        if let siteArea = experience.siteArea {
            return .siteArea(
                compile(siteArea, of: "experience \(experience.id)", at: "$.experiences[\(index)].site_area"))
        }
        return .unrestricted
    }
}

extension [Int] {
    fileprivate mutating func sortAndMakeUnique() {
        guard count > 1 else { return }
        sort()
        var kept = 1
        for index in 1..<count where self[index] != self[kept - 1] {
            self[kept] = self[index]
            kept += 1
        }
        removeLast(count - kept)
    }
}

extension RuleTree {
    /// The first `bucketed_into_experience_key` leaf anywhere in the tree, which stands for the whole tree.
    fileprivate var bucketingExclusion: (experienceKey: String, isNegated: Bool)? {
        let isExclusion: (Int) -> Bool = { leaves[$0]?.ruleType == "bucketed_into_experience_key" }
        guard let index = leaves.indices.first(where: isExclusion), let leaf = leaves[index] else { return nil }
        var isNegated = false
        if case .operation(_, let negated) = leaf.matching { isNegated = negated?.isTruthy ?? false }
        return (ECMAScript.toString(leaf.value), isNegated)
    }
}
