public import ConvertSwiftSDKCore

/// Decides a config for a population and counts the results.
///
/// Every visitor is decided as in ``PopulationAssignment``. The same population gives the same report, whatever the
/// number of threads.
public struct PopulationSimulation: Sendable {
    /// The number of generated visitors in one part, which one thread counts.
    private static let partLength = 2000

    let project: Project
    let manager: ExperienceManager
    let plan: SimulationPlan
    let options: DecisionOptions
    private let storedNames: StoredNames
    /// Decides experiences without the audiences that ask for other experiences; `nil` if no audience asks for one.
    let withoutExclusions: ExperienceManager?

    /// Creates a simulation of `config`.
    public init(
        _ config: ProjectConfig, environment: String = ProjectConfig.defaultEnvironment,
        semantics: RuleSemantics = .standard
    ) {
        self.init(Project(config, options: CompilationOptions(semantics: semantics)), environment: environment)
    }

    /// Creates a simulation of `project`, whose semantics apply.
    package init(_ project: Project, environment: String = ProjectConfig.defaultEnvironment) {
        self.project = project
        manager = ExperienceManager(project: project, environment: environment)
        let plan = SimulationPlan(project.config, semantics: project.options.semantics)
        self.plan = plan
        storedNames = StoredNames(project.config)
        withoutExclusions =
            plan.exclusions.isEmpty
            ? nil
            : ExperienceManager(
                project: Project(plan.withoutExclusions(project.config), options: project.options),
                environment: environment)
        options = DecisionOptions(forPopulationOf: project)
    }

    /// Simulates `count` generated visitors. Their values come from the config's rules: values of conditions, sets of
    /// values that let groups pass, and others.
    ///
    /// - Parameters:
    ///   - count: the number of visitors to generate.
    ///   - seed: the seed of the generator. Another seed gives other visitors.
    ///   - attributes: the distribution of known attributes.
    ///   - threads: the number of threads.
    ///   - didCount: receives the current number of visitors.
    public func generate(
        _ count: Int, seed: UInt64, attributes: AttributeSpecification = AttributeSpecification(), threads: Int = 1,
        didCount: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> SimulationReport {
        let generator = PopulationGenerator(for: project, seed: seed, specification: attributes)
        let parts = PartCounter(count: max(0, count), length: Self.partLength)
        let fold = StreamFold<Range<Int>, SimulationTally, SimulationTally>(
            into: SimulationTally(plan), from: { parts.next() },
            by: {
                { range in
                    var tally = SimulationTally(plan)
                    for index in range {
                        let (visitor, withoutRuleValues) = generator.visitor(index)
                        let eligible = self.count(visitor, in: &tally)
                        self.countRuleValues(withoutRuleValues, eligible, in: &tally)
                    }
                    return tally
                }
            },
            adding: { (sum: inout SimulationTally, tally: SimulationTally) in
                sum.add(tally)
                didCount(sum.visitorCount)
            })
        // Neither the source nor an addition throws.
        return report((try? fold.run(threads: threads)) ?? SimulationTally(plan), seed: seed)
    }

    /// Simulates the visitors of a stream, which is read as in
    /// ``PopulationAssignment/run(_:threads:read:write:didWrite:)``.
    public func run(
        _ format: PopulationFormat, threads: Int,
        read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        didCount: @escaping @Sendable (Int) -> Void = { _ in },
        didFail: (RecordTally.RecordError) -> Void = { _ in }
    ) throws -> SimulationReport {
        // Safe: the stream passes `read` a buffer that it owns, only during the call.
        let stream = try unsafe RecordStream(format, read: read)
        let tally = try stream.fold(
            into: SimulationTally(plan), threads: threads,
            by: {
                var reader = VisitorReader(stream.syntax)
                return { part in
                    var (tally, records) = (SimulationTally(plan), RecordTally())
                    reader.forEachVisitor(of: part) { record in
                        records.add(record, storedNames) {
                            tally.noteID(of: $0)
                            _ = self.count($0, in: &tally)
                        }
                    }
                    tally.records = records
                    return tally
                }
            },
            adding: { (sum: inout SimulationTally, tally: SimulationTally) in
                sum.add(tally)
                didCount(sum.visitorCount)
            })
        tally.records.firstErrors.forEach(didFail)
        return report(tally, seed: nil)
    }
}
