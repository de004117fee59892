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

    init(_ config: ProjectConfig, options: CompilationOptions) {
        self.config = config
        self.options = options
        bucketing = BucketingManager(options: options.bucketing)
        rules = RuleCompiler(semantics: options.semantics, keysAreCaseSensitive: options.keysAreCaseSensitive)
        adapter = RuleAdapter(semantics: options.semantics)
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
        for (index, goal) in config.goals.enumerated() { _ = goalsByKey.insert(PropertyKey(goal.key), at: index) }
        compileExperiences(declarations: indexFeatures())
    }

    private mutating func report(_ message: String, at path: String) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        diagnostics.append(ConfigDiagnostic(path: path, message: message))
    }

    private mutating func indexExperiences() {
        for (index, experience) in config.experiences.enumerated() {
            if !experiencesByID.insert(experience.id.key, at: index) {
                report(
                    "a second experience with the id \(experience.id): look-ups find the first one.",
                    at: "$.experiences[\(index)].id")
            }
            if !experiencesByKey.insert(PropertyKey(experience.key), at: index) {
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
        let compiled = rules.compile(adapter.flatten(tree, path: "", diagnostics: &found))
        for problem in found { report("\(entity()): \(problem.message)", at: path() + problem.path) }
        for problem in rules.patternErrors {
            report(
                "\(entity()): \(problem.error): the leaf never matches.",
                at: "\(path()).OR[\(problem.group)].AND[\(problem.clause)].OR_WHEN[\(problem.condition)].value")
        }
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
            _ = featuresByKey.insert(PropertyKey(feature.key), at: index)
            if declarations.updateValue(index, forKey: feature.id.key) == nil { ids.append(feature.id.key) }
        }
        declaredFeatures = ECMAScript.ownPropertyKeyOrder(ids.map(\.name)).compactMap { declarations[ids[$0]] }
        return declarations
    }

    private mutating func compileExperiences(declarations: [PropertyKey: Int]) {
        let audiencesByID = EntityIDIndex(config.audiences.lazy.map(\.id))
        let locationsByID = EntityIDIndex(config.locations.lazy.map(\.id))
        let segmentsByID = EntityIDIndex(config.segments.lazy.map(\.id))
        let archived = Set(config.archivedExperiences.map { PropertyKey($0) })
        let featureTypes = config.features.map(CarriedFeature.types)
        for (index, experience) in config.experiences.enumerated() {
            func path(_ member: String) -> String { "$.experiences[\(index)].\(member)" }
            var attached: [Int] = []
            var segments: [Int] = []
            for id in experience.audiences {
                let isAudience = audiencesByID.append(id, to: &attached)
                let isSegment = !segmentsByID.isEmpty && segmentsByID.append(id, to: &segments)
                if isAudience || isSegment { continue }
                report("audience \(id) is not in the config; it restricts nobody.", at: path("audiences"))
            }
            attached.sortAndMakeUnique()
            segments.sortAndMakeUnique()
            if experience.variations.isEmpty { report("no variations: nobody is bucketed.", at: path("variations")) }
            if experience.audienceMatching == .missing && !attached.isEmpty {
                report("settings.matching_options is missing though audiences are attached.", at: path("settings"))
            }
            let features = experience.variations.map { CarriedFeature.all(in: $0, declarations, featureTypes) }
            if features.contains(where: { !$0.isEmpty }) {
                for id in Set(features.joined().map(\.id)) { carriers[id, default: []].append(index) }
                carriedFeatures[index] = features
            }
            let idOwner = experiencesByID[experience.id.key] ?? index
            let found = config.experiences[idOwner].indices(
                of: experience.variations, numericIDs: options.semantics.findsNumericVariationIDs)
            if !found.enumerated().allSatisfy({ $0 == $1 }) { foundVariations[index] = found }
            let layout = BucketLayout(variations: experience.variations, version: experience.version)
            experiences.append(
                CompiledExperience(
                    index: index, isArchived: config.isArchiveUnreadable || archived.contains(experience.id.key),
                    environment: environmentGate(of: experience),
                    location: locationGate(of: experience, locationsByID, at: index), audiences: attach(attached),
                    hasUnusableAudience: experience.audiences.contains(.unusable),
                    audienceMatching: experience.audienceMatching,
                    segments: Self.append(segments.map { config.segments[$0].id }, to: &segmentIDs),
                    variationCount: experience.variations.count,
                    keyOwner: experiencesByKey[PropertyKey(experience.key)] ?? index, idOwner: idOwner,
                    hash: bucketing.hash(experienceID: experience.id.text), layout: layout.kind,
                    ranges: Self.append(layout.ranges, to: &ranges)))
        }
    }

    private mutating func attach(_ indices: [Int]) -> PoolRange {
        Self.append(indices.map { Int32(truncatingIfNeeded: $0) }, to: &attachments)
    }

    private static func append<Element>(_ elements: [Element], to pool: inout [Element]) -> PoolRange {
        pool += elements
        return PoolRange(start: pool.count - elements.count, count: elements.count)
    }

    /// Indices of the entities with one of `ids`, in config order, as the reference collects them.
    private func indices(of ids: [EntityID], in index: EntityIDIndex) -> [Int] {
        var indices: [Int] = []
        for id in ids { index.append(id, to: &indices) }
        indices.sortAndMakeUnique()
        return indices
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
            let attached = indices(of: experience.locations, in: locationsByID)
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
        for case let block? in blocks {
            for case let clause? in block.clauses {
                for case let leaf? in clause.leaves where leaf.ruleType == "bucketed_into_experience_key" {
                    var isNegated = false
                    if case .operation(_, let negated) = leaf.matching { isNegated = negated?.isTruthy ?? false }
                    return (ECMAScript.toString(leaf.value), isNegated)
                }
            }
        }
        return nil
    }
}
