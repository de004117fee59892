package import ConvertECMAScript
internal import ConvertConcurrency

/// A config that is compiled for decisions. Entities are indexed by id and key, attribute names are interned, rule
/// graphs are flattened with prepared operands, and layouts are computed. Decisions do not read JSON.
///
/// Immutable; all threads can share one instance.
package final class Project: Sendable {
    package let config: ProjectConfig
    package let options: CompilationOptions
    /// Problems with entities and rules: first the config's diagnostics, then the compiler's.
    package let diagnostics: [ConfigDiagnostic]
    let bucketing: BucketingManager
    let rules: RuleManager
    /// Whether any rules, of audiences or other entities, can end a call with an error.
    let letsRulesEndTheCall: Bool
    let experiences: ExperienceCatalog
    let ruleSets: RuleSets
    let features: FeatureCatalog
    private let goalsByKey: EntityIndex
    /// Identifies the project within the process. An address cannot do this, because a later project may reuse it.
    package let serial = Project.serials.wrappingAdd(1, ordering: .relaxed).newValue
    /// Stored here, because each access to a static property checks whether the property is initialized.
    private let segmentNames = ReportSegments.filter

    private static let serials = Atomic<UInt64>(0)

    /// Compiles `config`, in time linear to its size.
    package convenience init(_ config: ProjectConfig, options: CompilationOptions = CompilationOptions()) {
        self.init(ProjectCompiler(config, options: options))
    }

    init(_ compiler: consuming ProjectCompiler) {
        // The order of these calls is the order of the diagnostics.
        compiler.indexExperiences()
        ruleSets = compiler.compileRuleSets()
        compiler.compileExperiences()
        config = compiler.config
        options = compiler.options
        diagnostics = config.diagnostics + compiler.diagnostics
        bucketing = compiler.bucketing
        features = FeatureCatalog(config, carriedBy: compiler.carried, compiler.experiences)
        var goalsByKey = EntityIndex()
        for index in config.goals.indices { goalsByKey.insert(config.goals[index].entityKey.lookUp, at: index) }
        self.goalsByKey = goalsByKey
        experiences = compiler.experiences
        rules = RuleManager(program: RuleProgram(compiler.rules, verdictCount: config.audiences.count))
        letsRulesEndTheCall =
            options.semantics.throwsOnMalformedRules
            && rules.program.comparisons.elements.contains { $0.operand == .null }
    }
}

extension Project {
    /// Index of the first experience with the key.
    @inline(__always)
    package func experience(key: String) -> Int? { experiences.byKey[key] }

    /// Index of the first experience with the id.
    package func experience(id: String) -> Int? { experiences.byID[id] }

    package func experience(key: PropertyKey) -> Int? { experiences.byKey[key] }

    package func experience(id: PropertyKey) -> Int? { experiences.byID[id] }

    /// The config's model of the experience at `index`.
    func model(_ index: Int) -> ProjectConfig.Experience { config.experiences[index] }

    /// Index of the first feature with the key.
    package func feature(key: String) -> Int? { features.byKey[key] }

    /// Index of the first goal with the key.
    package func goal(key: String) -> Int? { goalsByKey[key] }

    /// Whether `attributes` contains report segments, which is rare.
    @inline(__always)
    func findsSegments(in attributes: borrowing JSObject) -> Bool { segmentNames.matches(attributes) }

    var program: RuleProgram { rules.program }

    /// Whether variations carry the declared feature at `index`, all of them in archived experiences.
    package func isCarriedByArchivedExperiencesOnly(featureAt index: Int) -> Bool {
        let carriers = features.carriers[index]
        return !carriers.isEmpty && carriers.allSatisfy { experiences[Int($0)].isArchived }
    }
}
