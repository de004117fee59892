package import ConvertECMAScript
internal import ConvertConcurrency

/// A config made ready for decisions: indexes by id and key, attribute names interned, every rule graph flattened with
/// its operands prepared, every layout computed. Decisions never touch JSON again.
///
/// Immutable; one instance serves all threads.
package final class Project: Sendable {
    /// The config.
    package let config: ProjectConfig

    /// How it was compiled.
    package let options: CompilationOptions

    /// What is wrong with entities and rules: the config's own diagnostics, then those found here.
    package let diagnostics: [ConfigDiagnostic]

    /// Tells projects apart, also those that are gone, whose address another one may have.
    let serial: UInt64
    /// Held here because reading a static property asks each time whether it was made.
    private let segmentNames = ReportSegments.filter

    let experiences: FrozenTable<ExperienceRow>
    /// Indices of the audiences and locations that experiences attach.
    let attachments: FrozenTable<Int32>
    /// Ids of the segments that experiences attach.
    let segmentIDs: [EntityID]
    /// The arms of all experiences.
    let ranges: FrozenTable<BucketLayout.Range>
    /// The environments that experiences name.
    let environments: KeyTable
    let audiences: FrozenTable<AudienceRow>
    let locations: FrozenTable<LocationRow>
    /// Matches the rules of audiences, locations, segments and goals.
    let rules: RuleManager
    /// Whether some rules, of audiences or of whatever else, end a call with an error.
    let letsRulesEndTheCall: Bool
    let bucketing: BucketingManager
    /// For each segment its rules; `nil` without any.
    let segmentRules: FrozenTable<CompiledRules?>
    /// For each goal its rules; `nil` without any.
    let goalRules: FrozenTable<CompiledRules?>
    /// Indices of the declared features in the order of an object's keys; of one id the last declaration.
    let declaredFeatures: [Int]
    private let featuresByKey: EntityIndex.Frozen
    private let goalsByKey: EntityIndex.Frozen
    /// For each declared feature its carriers among ``carrierPool``.
    private let carriers: [TableRange]
    private let carrierPool: [Int32]
    /// For an experience whose variations the reference finds elsewhere than at their own index, by the experience's index:
    /// for each variation the index at which its id is found among the variations of the id's owner.
    private let foundVariations: [Int: [Int?]]
    /// The features that variations carry.
    let carriedFeatures: [CarriedFeature]
    /// A row for each of them.
    private let carriedRows: FrozenTable<CarriedFeatureRow>
    /// For each variation of an experience with features where those are.
    private let carriedRanges: [TableRange]
    /// For each experience where the ranges of its variations begin, which are those of the first one with its id; -1 for one
    /// without features.
    private let carriedStarts: [Int32]
    private let experiencesByKey: EntityIndex.Frozen
    private let experiencesByID: EntityIndex.Frozen
    private let dispose: (@Sendable (consuming ProjectRemains) -> Void)?

    /// Compiles `config`, in time linear to it.
    ///
    /// - Parameter dispose: Is given what takes long to free when nothing holds the project any more, which may be in the middle
    ///   of a request. Without it that is freed at once.
    package convenience init(
        _ config: ProjectConfig, options: CompilationOptions = CompilationOptions(),
        dispose: (@Sendable (consuming ProjectRemains) -> Void)? = nil
    ) {
        self.init(ProjectCompiler(config, options: options), dispose: dispose)
    }

    private static let serials = Atomic<UInt64>(0)

    init(_ compiler: ProjectCompiler, dispose: (@Sendable (consuming ProjectRemains) -> Void)? = nil) {
        self.dispose = dispose
        config = compiler.config
        options = compiler.options
        diagnostics = compiler.config.diagnostics + compiler.diagnostics
        serial = Self.serials.wrappingAdd(1, ordering: .relaxed).newValue
        experiences = FrozenTable(compiler.experiences)
        attachments = FrozenTable(compiler.attachments)
        segmentIDs = compiler.segmentIDs
        ranges = FrozenTable(compiler.ranges)
        environments = compiler.environments
        foundVariations = compiler.foundVariations
        let carried = compiler.carried
        carriedFeatures = carried.features
        carriedRows = FrozenTable(carriedFeatures.map { CarriedFeatureRow($0) })
        carriedRanges = carried.ranges
        carriedStarts = experiences.map { carried.starts[$0.idOwner] }
        audiences = FrozenTable(compiler.audiences)
        locations = FrozenTable(compiler.locations)
        rules = RuleManager(RuleProgram(compiler.rules, verdictCount: compiler.audiences.count))
        letsRulesEndTheCall = options.semantics.letsErrorsEndTheCall && rules.program.hasNulls
        bucketing = compiler.bucketing
        segmentRules = FrozenTable(compiler.segmentRules)
        goalRules = FrozenTable(compiler.goalRules)
        declaredFeatures = carried.declarations.inOrderOfKeys
        featuresByKey = EntityIndex.Frozen(compiler.featuresByKey)
        goalsByKey = EntityIndex.Frozen(compiler.goalsByKey)
        var carrierPool: [Int32] = []
        // Declarations with one id share a range, or many of them would take memory by the square.
        let rangesOfIDs = carried.carriers.map { indices in
            defer { carrierPool += indices }
            return TableRange(start: carrierPool.count, count: indices.count)
        }
        let features = compiler.config.features
        let ranges = features.indices.map { index in
            carried.ids.index(of: features[index].id.key).map { rangesOfIDs[$0] } ?? TableRange()
        }
        // A feature is asked for by its key, which several declarations may have.
        let owners = features.indices.map { compiler.featuresByKey[features[$0].entityKey.lookUp] }
        if owners.enumerated().allSatisfy({ $0.element == $0.offset }) {
            carriers = ranges
        } else {
            var indices: [Int?: Set<Int32>] = [:]
            for (range, owner) in zip(ranges, owners) {
                indices[owner, default: []].formUnion(carrierPool[range.indices])
            }
            let united = indices.mapValues { indices in
                defer { carrierPool += indices.sorted() }
                return TableRange(start: carrierPool.count, count: indices.count)
            }
            carriers = owners.map { united[$0] ?? TableRange() }
        }
        self.carrierPool = carrierPool
        experiencesByKey = EntityIndex.Frozen(compiler.experiencesByKey)
        experiencesByID = EntityIndex.Frozen(compiler.experiencesByID)
    }

    deinit {
        experiences.deallocate()
        attachments.deallocate()
        ranges.deallocate()
        audiences.deallocate()
        locations.deallocate()
        segmentRules.deallocate()
        goalRules.deallocate()
        carriedRows.deallocate()
        dispose?(
            ProjectRemains(
                config: config, program: rules.program, carriedFeatures: carriedFeatures, segmentIDs: segmentIDs,
                indexes: [experiencesByKey, experiencesByID, featuresByKey, goalsByKey]))
    }

    /// Index of the first experience with the key.
    @inline(__always)
    package func experience(key: String) -> Int? { experiencesByKey[key] }

    /// Index of the first experience with the id.
    package func experience(id: String) -> Int? { experiencesByID[id] }

    /// Index of the first experience with the key.
    package func experience(key: PropertyKey) -> Int? { experiencesByKey[key] }

    /// Index of the first experience with the id.
    package func experience(id: PropertyKey) -> Int? { experiencesByID[id] }

    /// The model of the experience at `index`.
    func model(_ index: Int) -> Experience { config.experiences[index] }

    /// Index of the variation that the reference hands out when it has decided on the one at `index`.
    @inline(__always)
    func foundVariation(_ index: Int, of experience: ExperienceRow) -> Int? {
        guard !foundVariations.isEmpty, let found = foundVariations[experience.index] else { return index }
        return found[index]
    }

    /// Range of the features that a variation carries among ``carriedFeatures``: one of the first experience with the
    /// experience's id.
    func features(ofVariation index: Int, of experience: Int) -> TableRange {
        let start = Int(carriedStarts[experience])
        return start < 0 ? TableRange() : carriedRanges[start + index]
    }

    /// Index of the first feature with the key.
    package func feature(key: String) -> Int? { featuresByKey[key] }

    /// Index of the first goal with the key.
    package func goal(key: String) -> Int? { goalsByKey[key] }

    /// Index of the declaration of a carried feature; `nil` if it is not declared.
    func declaration(ofCarriedFeature index: Int) -> Int? {
        precondition(carriedRows.indices.contains(index))
        return carriedRows[index].declaration
    }

    /// Whether the declarations at two indices have one key.
    func haveFeaturesSameKey(_ left: Int, _ right: Int) -> Bool {
        config.features[left].entityKey.lookUp == config.features[right].entityKey.lookUp
    }

    /// The value of a carried feature's variable; `nil` if it has none such.
    @inline(__always)
    func variable(_ name: String, ofCarriedFeature index: Int, isCast: Bool) -> JSValue? {
        precondition(carriedRows.indices.contains(index))
        return carriedRows[index].variable(name, isCast: isCast)
    }

    /// Whether there are report segments among `attributes`, which is rare.
    @inline(__always)
    func findsSegments(in attributes: borrowing JSObject) -> Bool { segmentNames.matches(attributes) }

    /// A visitor as ``ExperienceManager/visitor(id:attributes:state:)`` makes one, if there are no report segments among
    /// `attributes`.
    package func visitor(
        id: consuming String, attributesWithoutSegments attributes: consuming JSObject, state: consuming VisitorState
    ) -> Visitor {
        Visitor.make(id: id, attributes: attributes, state: state, project: self)
    }

    /// Places of the experiences some variation of which carries the feature, in config order, for ``carrier(at:)``.
    func carriers(ofFeature index: Int) -> TableRange { carriers[index] }

    /// Index of the experience at a place.
    func carrier(at place: Int) -> Int { Int(carrierPool[place]) }

    /// What came of rules on a set of properties that belongs to no context.
    func verdict(
        of rules: CompiledRules, on attributes: inout Attributes, _ budget: inout CallBudget
    ) -> RuleVerdict {
        self.rules.evaluate(rules, against: &attributes, &budget, observer: SilentObserver())
    }

    var program: RuleProgram { rules.program }
}

extension Experience {
    /// Index of the first variation with the id, among those that `semantics` find by their ids.
    package func variation(id: PropertyKey, under semantics: RuleSemantics) -> Int? {
        variation(id: id, numericIDs: semantics.findsNumericVariationIDs)
    }

    /// Index of the first variation with the id.
    func variation(id: PropertyKey, numericIDs: Bool) -> Int? {
        variations.firstIndex {
            guard let candidate = $0.id, candidate.isFound(numericIDs: numericIDs) else { return false }
            return candidate.key == id
        }
    }

}

extension [Variation] {
    /// Whether looking for the id of each of the variations, of which there are few, finds that variation.
    func areFoundWhereTheyStand(numericIDs: Bool) -> Bool {
        guard count <= 8 else { return false }
        for index in indices {
            guard let id = self[index].id, id.isFound(numericIDs: numericIDs) else { return false }
            for earlier in 0..<index where self[earlier].id?.key == id.key { return false }
        }
        return true
    }

    /// The variations that the reference finds by their ids, by id.
    func index(numericIDs: Bool) -> EntityIndex {
        var index = EntityIndex()
        for (place, variation) in enumerated() {
            if let id = variation.id, id.isFound(numericIDs: numericIDs) { index.insert(id.key, at: place) }
        }
        return index
    }
}

extension EntityID {
    /// Whether the reference finds a variation with this id again: it looks for text.
    fileprivate func isFound(numericIDs: Bool) -> Bool { kind == .text || (numericIDs && kind == .number) }
}
