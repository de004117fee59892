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
    /// Hashes visitors.
    let bucketing: BucketingManager
    /// Matches the rules of audiences, locations, segments and goals.
    let rules: RuleManager
    /// Whether some rules, of audiences or of whatever else, end a call with an error.
    let letsRulesEndTheCall: Bool
    /// The experiences, resolved as far as no visitor decides.
    let experiences: ExperienceCatalog
    /// What audiences, locations, segments and goals ask.
    let ruleSets: RuleSets
    /// The declared features, and those that variations carry.
    let features: FeatureCatalog
    private let goalsByKey: EntityIndex
    /// Tells projects apart, also those that are gone, whose address another one may have.
    let serial = Project.serials.wrappingAdd(1, ordering: .relaxed).newValue
    /// Held here because reading a static property asks each time whether it was made.
    private let segmentNames = ReportSegments.filter

    private static let serials = Atomic<UInt64>(0)

    /// Compiles `config`, in time linear to it.
    package convenience init(_ config: ProjectConfig, options: CompilationOptions = CompilationOptions()) {
        self.init(ProjectCompiler(config, options: options))
    }

    /// The project that `compiler` compiles.
    init(_ compiler: consuming ProjectCompiler) {
        // In this order, which is that of the diagnostics.
        compiler.indexExperiences()
        ruleSets = compiler.compileRuleSets()
        compiler.compileExperiences()
        config = compiler.config
        options = compiler.options
        diagnostics = config.diagnostics + compiler.diagnostics
        bucketing = compiler.bucketing
        features = FeatureCatalog(config, carriedBy: compiler.carried, compiler.tables.rows)
        var goalsByKey = EntityIndex()
        for index in config.goals.indices { goalsByKey.insert(config.goals[index].entityKey.lookUp, at: index) }
        self.goalsByKey = goalsByKey
        experiences = ExperienceCatalog(compiler.tables)
        rules = RuleManager(program: RuleProgram(compiler.rules, verdictCount: config.audiences.count))
        letsRulesEndTheCall = options.semantics.throwsOnMalformedRules && rules.program.hasNulls
    }
}

extension Project {
    /// Index of the first experience with the key.
    @inline(__always)
    package func experience(key: String) -> Int? { experiences.byKey[key] }

    /// Index of the first experience with the id.
    package func experience(id: String) -> Int? { experiences.byID[id] }

    /// Index of the first experience with the key.
    package func experience(key: PropertyKey) -> Int? { experiences.byKey[key] }

    /// Index of the first experience with the id.
    package func experience(id: PropertyKey) -> Int? { experiences.byID[id] }

    /// The model of the experience at `index`.
    func model(_ index: Int) -> Experience { config.experiences[index] }

    /// Index of the first feature with the key.
    package func feature(key: String) -> Int? { features.byKey[key] }

    /// Index of the first goal with the key.
    package func goal(key: String) -> Int? { goalsByKey[key] }

    /// Whether there are report segments among `attributes`, which is rare.
    @inline(__always)
    func findsSegments(in attributes: borrowing JSObject) -> Bool { segmentNames.matches(attributes) }

    /// What came of rules on a set of properties that belongs to no context.
    func verdict(
        of rules: CompiledRules, on attributes: inout Attributes, _ budget: inout CallBudget
    ) -> RuleVerdict {
        self.rules.evaluate(rules, against: &attributes, &budget, observer: SilentObserver())
    }

    /// Every rule graph.
    var program: RuleProgram { rules.program }
}
