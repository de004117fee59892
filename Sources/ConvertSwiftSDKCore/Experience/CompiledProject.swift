internal import ConvertECMAScript

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

    let experiences: [CompiledExperience]
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
    private let experiencesByKey: EntityIndex
    private let experiencesByID: EntityIndex

    /// Compiles `config`, in time linear to it.
    public convenience init(_ config: ProjectConfig, options: CompilationOptions = CompilationOptions()) {
        self.init(ProjectCompiler(config, options: options))
    }

    init(_ compiler: ProjectCompiler) {
        config = compiler.config
        options = compiler.options
        diagnostics = compiler.config.diagnostics + compiler.diagnostics
        experiences = compiler.experiences
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

    /// The first experience with the key.
    func experience(key: String) -> CompiledExperience? { experiencesByKey[PropertyKey(key)].map { experiences[$0] } }

    /// The first experience with the key of `experience`, mostly itself.
    func experience(sharingKeyWith experience: CompiledExperience) -> CompiledExperience {
        experiences[experience.keyOwner]
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

    /// The first experience with the id.
    func experience(id: String) -> CompiledExperience? { experiencesByID[PropertyKey(id)].map { experiences[$0] } }
}

/// An experience with everything resolved that does not depend on the visitor.
final class CompiledExperience: Sendable {
    /// What the location gate asks for.
    enum LocationGate: Sendable {
        case unrestricted
        /// Indices of the attached locations; those that resolve to nothing restrict all the same.
        case locations([Int])
        case siteArea(CompiledRules)
    }

    /// Where the experience runs.
    enum EnvironmentGate: Sendable {
        case anywhere
        case only(String)
        case nowhere
    }

    let index: Int
    let model: Experience
    let isArchived: Bool
    let environment: EnvironmentGate
    let location: LocationGate
    /// Indices of the attached audiences, in config order.
    let audiences: [Int]
    /// Whether an audience is attached by something that is no id, which then stands for one that never matches.
    let hasUnusableAudience: Bool
    /// Ids of the attached segments.
    let segments: [EntityID]
    /// Index of the first experience with this key, which look-ups find.
    let keyOwner: Int
    /// Index of the first experience with this id, among whose variations the reference looks a bucketed one up.
    let idOwner: Int
    let hash: MurmurHash3
    let layout: BucketLayout
    /// For each variation the index at which the reference finds its id again among the variations of ``idOwner``; empty
    /// if it finds every one at its own.
    private let foundVariations: [Int?]
    /// For each variation the features that it carries; empty if none does.
    private let features: [[CarriedFeature]]

    init(
        index: Int, model: Experience, isArchived: Bool, environment: EnvironmentGate, location: LocationGate,
        audiences: [Int], hasUnusableAudience: Bool, segments: [EntityID], keyOwner: Int, idOwner: Int,
        foundVariations: [Int?],
        hash: MurmurHash3, features: [[CarriedFeature]]
    ) {
        self.index = index
        self.model = model
        self.isArchived = isArchived
        self.environment = environment
        self.location = location
        self.audiences = audiences
        self.hasUnusableAudience = hasUnusableAudience
        self.segments = segments
        self.keyOwner = keyOwner
        self.idOwner = idOwner
        self.hash = hash
        self.foundVariations = foundVariations.enumerated().allSatisfy { $0 == $1 } ? [] : foundVariations
        self.features = features.allSatisfy(\.isEmpty) ? [] : features
        layout = BucketLayout(variations: model.variations, version: model.version)
    }

    /// Index of the variation that the reference hands out when it has decided on the one at `index`.
    func foundVariation(_ index: Int) -> Int? { foundVariations.isEmpty ? index : foundVariations[index] }

    /// The features that a variation carries.
    func features(ofVariation index: Int) -> [CarriedFeature] { features.isEmpty ? [] : features[index] }

    /// The first variation with the id.
    func variation(id: String, numericIDs: Bool) -> Int? { model.variation(id: id, numericIDs: numericIDs) }
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

/// What an audience asks.
struct CompiledAudience: Sendable {
    enum Test: Sendable {
        /// Without rules it never matches.
        case never
        case rules(CompiledRules)
        /// Mutual exclusion: whether a decision is stored for an experience, `nil` if that is unknown. It stands for all
        /// of the audience's rules.
        case bucketedInto(experience: PropertyKey?, negated: Bool)
    }

    let test: Test
    let isPermanent: Bool
}

/// What a location asks.
struct CompiledLocation: Sendable {
    /// `nil` without rules: it is not looked at, and keeps the visitor's stored presence.
    let rules: CompiledRules?
    /// The key under which presence is stored.
    let key: String
}

extension EntityID {
    /// Whether the reference finds a variation with this id again: it looks for text.
    fileprivate func isFound(numericIDs: Bool) -> Bool { kind == .text || (numericIDs && kind == .number) }
}
