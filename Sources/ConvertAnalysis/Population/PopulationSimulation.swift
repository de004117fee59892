internal import ConvertECMAScript
public import ConvertSwiftSDKCore

/// Decides a config for a population and counts who gets what.
///
/// Every visitor is decided as ``PopulationAssignment`` does it. The same population gives the same report, whatever the
/// number of threads.
public struct PopulationSimulation: Sendable {
    /// How many generated visitors a thread takes at a time.
    private static let partLength = 2000

    let project: Project
    let manager: ExperienceManager
    let plan: SimulationPlan
    private let options: DecisionOptions

    /// A simulation of `config`.
    public init(_ config: ProjectConfig, environment: String = "staging", semantics: RuleSemantics = .standard) {
        self.init(Project(config, options: CompilationOptions(semantics: semantics)), environment: environment)
    }

    /// A simulation of `project`, whose semantics hold.
    package init(_ project: Project, environment: String = "staging") {
        self.project = project
        manager = ExperienceManager(project: project, environment: environment)
        plan = SimulationPlan(project.config)
        var options = DecisionOptions()
        options.isTrackingEnabled = false
        options.isStorageEnabled = project.hasDependentDecisions
        self.options = options
    }

    /// Simulates `count` visitors that are generated from the config's own rules: values that conditions name, sets of them
    /// that let groups pass, and others.
    ///
    /// - Parameters:
    ///   - count: how many visitors are generated.
    ///   - seed: another seed gives other visitors.
    ///   - attributes: how visitors come by attributes of which something is known.
    ///   - threads: how many threads work, of which the calling one is the first.
    ///   - didCount: called with the number of visitors so far.
    public func generate(
        _ count: Int, seed: UInt64, attributes: AttributeSpecification = AttributeSpecification(), threads: Int = 1,
        didCount: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> SimulationReport {
        let generator = PopulationGenerator(for: project, seed: seed, specification: attributes)
        let parts = PartCounter(count: max(0, count), length: Self.partLength)
        let sink = SimulationSink(plan, didCount)
        let pipeline = OrderedPipeline<Range<Int>, SimulationTally>(
            from: { parts.next() },
            by: {
                { range in
                    var tally = SimulationTally(plan)
                    for index in range { self.count(generator.visitor(index), in: &tally) }
                    return tally
                }
            },
            to: { sink.take($0) })
        // Neither source nor sink throws.
        try? pipeline.run(threads: threads)
        return report(sink.tally, seed: seed)
    }

    /// Simulates the visitors of a stream, which is read as by ``PopulationAssignment/run(_:threads:read:write:didWrite:)``.
    public func run(
        _ format: PopulationFormat, threads: Int,
        read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?,
        didCount: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> SimulationReport {
        let stream = try RecordStream(format, read: read)
        let sink = SimulationSink(plan, didCount)
        let pipeline = OrderedPipeline<RecordReader.Part, SimulationTally>(
            from: { try stream.next() },
            by: {
                var reader = VisitorReader(stream.syntax)
                return { part in
                    var tally = SimulationTally(plan)
                    reader.forEachVisitor(of: part) { visitor in
                        switch visitor {
                        case .success(let visitor): self.count(visitor, in: &tally)
                        case .failure: tally.errorCount += 1
                        }
                    }
                    return tally
                }
            },
            to: { sink.take($0) })
        try pipeline.run(threads: threads)
        return report(sink.tally, seed: nil)
    }

    /// Decides for one visitor and counts what came of it.
    private func count(_ visitor: PopulationVisitor, in tally: inout SimulationTally) {
        var person = manager.visitor(id: visitor.visitorID, attributes: visitor.attributes, state: visitor.stored)
        var callOptions = options
        callOptions.locationProperties = visitor.locationProperties
        tally.visitorCount += 1
        var chosen: [(place: Int, variation: Int)] = []
        func note(_ place: Int, _ conclusion: Conclusion) {
            switch conclusion {
            case .variation(let selection):
                tally.experiences[place].eligible += 1
                tally.experiences[place].variations[selection.variation] += 1
                chosen.append((place, selection.variation))
            case .none(let reason):
                if reason == .notBucketed || reason == .variationNotFound { tally.experiences[place].eligible += 1 }
                tally.experiences[place].reasons[reason, default: 0] += 1
            }
        }
        let places = plan.places
        manager.concludeEach(for: &person, options: callOptions) { index, conclusion in
            if places[index] >= 0 { note(places[index], conclusion) }
        }
        countAudiences(of: &person, chosen, in: &tally)
        countPairs(chosen, in: &tally)
    }

    private func countAudiences(
        of visitor: inout Visitor, _ chosen: [(place: Int, variation: Int)], in tally: inout SimulationTally
    ) {
        var next = 0
        for (place, experience) in plan.experiences.enumerated() {
            var variation: Int?
            if next < chosen.count, chosen[next].place == place {
                variation = chosen[next].variation
                next += 1
            }
            for (slot, audience) in experience.audiences.enumerated()
            where manager.isMember(ofAudience: audience, &visitor) == true {
                tally.experiences[place].members[slot] += 1
                guard let variation else { continue }
                tally.experiences[place].memberVariations[slot * experience.variationCount + variation] += 1
            }
        }
    }

    private func countPairs(_ chosen: [(place: Int, variation: Int)], in tally: inout SimulationTally) {
        tally.perVisitor[chosen.count] += 1
        for (position, second) in chosen.enumerated() where second.place < plan.pairedCount {
            let width = plan.experiences[second.place].variationCount
            for first in chosen[..<position] {
                let cell =
                    plan.cells(first: first.place, second: second.place) + first.variation * width + second.variation
                tally.pairs[cell] += 1
            }
        }
        for (index, exclusion) in plan.exclusions.enumerated()
        where chosen.contains(where: { $0.place == exclusion.other }) {
            if chosen.contains(where: { $0.place == exclusion.experience }) {
                tally.exclusions[index].both += 1
            } else {
                tally.exclusions[index].otherOnly += 1
            }
        }
    }
}
