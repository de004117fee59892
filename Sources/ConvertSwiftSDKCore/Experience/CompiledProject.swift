internal import ConvertECMAScript
private import Synchronization

/// How a config is compiled.
public struct CompilationOptions: Sendable, Hashable {
    /// The answers to the open questions of rule evaluation.
    public var semantics: RuleSemantics

    /// Whether attribute names count their case; without effect under ``RuleSemantics/javaScript``. Where it does not count,
    /// of attributes whose names differ in case only the one with the smallest code units is read.
    public var keysAreCaseSensitive: Bool

    /// How visitors are hashed.
    public var bucketing: BucketingOptions

    /// Options.
    public init(
        semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true,
        bucketing: BucketingOptions = BucketingOptions()
    ) {
        self.semantics = semantics
        self.keysAreCaseSensitive = keysAreCaseSensitive
        self.bucketing = bucketing
    }
}

/// A config made ready for decisions: indexes by id and key, attribute names interned, every rule graph flattened with
/// its operands prepared, every layout computed. Decisions never touch JSON again.
///
/// Immutable; one instance serves all threads.
public final class CompiledProject: Sendable {
    /// The config.
    public let config: ProjectConfig

    /// How it was compiled.
    public let options: CompilationOptions

    /// What is wrong with entities and rules: the config's own diagnostics, then those found here.
    public let diagnostics: [ConfigDiagnostic]

    /// Tells projects apart, also those that are gone, whose address another one may have.
    let serial: UInt64

    let experiences: [CompiledExperience]
    /// Indices of the audiences and locations that experiences attach.
    let attachments: [Int32]
    /// Ids of the segments that experiences attach.
    let segmentIDs: [EntityID]
    /// The arms of all experiences.
    let ranges: [BucketLayout.Range]
    /// The environments that experiences name.
    let environments: KeyTable
    let audiences: [CompiledAudience]
    let locations: [CompiledLocation]
    let program: RuleProgram
    let bucketing: BucketingManager
    /// For each segment its rules; `nil` without any.
    let segmentRules: [CompiledRules?]
    /// For each goal its rules; `nil` without any.
    let goalRules: [CompiledRules?]
    /// Indices of the declared features in the order of an object's keys; of one id the last declaration.
    let declaredFeatures: [Int]
    private let featuresByKey: EntityIndex
    private let goalsByKey: EntityIndex
    private let carriers: [PropertyKey: [Int]]
    /// For an experience whose variations the reference finds elsewhere than at their own index, by the experience's index:
    /// for each variation the index at which its id is found among the variations of the id's owner.
    private let foundVariations: [Int: [Int?]]
    /// For an experience with features, by its index: for each variation the features that it carries.
    private let carriedFeatures: [Int: [[CarriedFeature]]]
    private let experiencesByKey: EntityIndex
    private let experiencesByID: EntityIndex

    /// Compiles `config`, in time linear to it.
    public convenience init(_ config: ProjectConfig, options: CompilationOptions = CompilationOptions()) {
        self.init(ProjectCompiler(config, options: options))
    }

    private static let serials = Atomic<UInt64>(0)

    init(_ compiler: ProjectCompiler) {
        config = compiler.config
        options = compiler.options
        diagnostics = compiler.config.diagnostics + compiler.diagnostics
        serial = Self.serials.wrappingAdd(1, ordering: .relaxed).newValue
        experiences = compiler.experiences.map { $0 }
        attachments = compiler.attachments.map { $0 }
        segmentIDs = compiler.segmentIDs
        ranges = compiler.ranges.map { $0 }
        environments = compiler.environments
        foundVariations = compiler.foundVariations
        carriedFeatures = compiler.carriedFeatures
        audiences = compiler.audiences
        locations = compiler.locations
        program = RuleProgram(compiler.rules)
        bucketing = compiler.bucketing
        segmentRules = compiler.segmentRules
        goalRules = compiler.goalRules
        declaredFeatures = compiler.declaredFeatures
        featuresByKey = compiler.featuresByKey
        goalsByKey = compiler.goalsByKey
        carriers = compiler.carriers
        experiencesByKey = compiler.experiencesByKey
        experiencesByID = compiler.experiencesByID
    }

    /// Index of the first experience with the key.
    func experience(key: String) -> Int? { experiencesByKey[PropertyKey(key)] }

    /// Index of the first experience with the id.
    func experience(id: String) -> Int? { experiencesByID[PropertyKey(id)] }

    /// The model of the experience at `index`.
    func model(_ index: Int) -> Experience { config.experiences[index] }

    /// Index of the variation that the reference hands out when it has decided on the one at `index`.
    func foundVariation(_ index: Int, of experience: CompiledExperience) -> Int? {
        guard !foundVariations.isEmpty, let found = foundVariations[experience.index] else { return index }
        return found[index]
    }

    /// The features that a variation carries.
    func features(ofVariation index: Int, of experience: Int) -> [CarriedFeature] {
        carriedFeatures[experience]?[index] ?? []
    }

    /// Index of the arm that owns `value`, or `nil` if none does.
    func variation(for value: Double, in experience: CompiledExperience) -> Int? {
        for index in experience.ranges.indices where experience.layout.gives(value, to: ranges[index]) {
            return ranges[index].variation
        }
        return nil
    }

    /// Index of the first feature with the key.
    func feature(key: String) -> Int? { featuresByKey[PropertyKey(key)] }

    /// Index of the first goal with the key.
    func goal(key: String) -> Int? { goalsByKey[PropertyKey(key)] }

    /// Indices of the experiences some variation of which carries the feature, in config order.
    func carriers(ofFeature index: Int) -> [Int] { carriers[config.features[index].id.key] ?? [] }

    /// What came of rules on a set of properties that belongs to no context; warnings are appended to `effects`.
    func verdict(of rules: CompiledRules, on properties: JSObject, effects: inout [DecisionEffect]) -> RuleVerdict {
        var observer = WarningCollector()
        let verdict = program.evaluate(
            rules, against: ResolvedAttributes(properties, in: program.attributes), observer: &observer)
        effects += warnings(about: observer.abandoned)
        return verdict
    }
}

extension Experience {
    /// Index of the first variation with the id.
    func variation(id: String, numericIDs: Bool) -> Int? {
        variations.firstIndex {
            guard let candidate = $0.id, candidate.isFound(numericIDs: numericIDs) else { return false }
            return candidate.text.hasSameCodeUnits(as: id)
        }
    }

    /// For each of `variations` the index of the first variation here with its id, in time linear to both.
    func indices(of others: [Variation], numericIDs: Bool) -> [Int?] {
        if others.count <= 8 {
            return others.map { other in other.id.flatMap { variation(id: $0.text, numericIDs: numericIDs) } }
        }
        var index = EntityIndex()
        for (place, variation) in variations.enumerated() {
            if let id = variation.id, id.isFound(numericIDs: numericIDs) { _ = index.insert(id.key, at: place) }
        }
        return others.map { other in other.id.flatMap { index[$0.key] } }
    }
}

extension EntityID {
    /// Whether the reference finds a variation with this id again: it looks for text.
    fileprivate func isFound(numericIDs: Bool) -> Bool { kind == .text || (numericIDs && kind == .number) }
}
