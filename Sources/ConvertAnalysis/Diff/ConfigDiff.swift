internal import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out what a new version of a config changes, and for which visitors.
///
///     let difference = try ConfigDiff().difference(from: oldJSON, to: newJSON)
///     for experience in difference.experiences { print(experience.key, experience.moved, experience.audience) }
///
/// Shares are exact, by the 10,000 bucket values of an experience. That audiences are equivalent is proven; where they
/// are not, a visitor that was decided on both configs shows it.
public struct ConfigDiff: Sendable {
    /// How open questions of rule evaluation are answered.
    public let semantics: RuleSemantics

    /// What the questions may take.
    public let limits: AnalysisLimits

    /// A comparison of configs that decide under `semantics`.
    public init(semantics: RuleSemantics = .standard, limits: AnalysisLimits = AnalysisLimits()) {
        self.semantics = semantics
        self.limits = limits
    }

    /// What changes from the config `old` to the config `new`.
    ///
    /// - Throws: `ConfigError` if the bytes of one of them are no config.
    public func difference(from old: Data, to new: Data) throws(ConfigError) -> ConfigDifference {
        difference(from: try ProjectConfig(json: old), to: try ProjectConfig(json: new))
    }

    /// As ``difference(from:to:)``, with what the visitors of a population get.
    ///
    /// - Parameters:
    ///   - old: the bytes of the old version.
    ///   - new: the bytes of the new version.
    ///   - environment: the environment that the visitors are decided in.
    ///   - visitors: the population. It is gone through once.
    public func difference(
        from old: Data, to new: Data, environment: String, visitors: some Sequence<PopulationVisitor>
    ) throws(ConfigError) -> ConfigDifference {
        let (old, new) = (try ProjectConfig(json: old), try ProjectConfig(json: new))
        var difference = difference(from: old, to: new)
        let comparison = PopulationComparison(
            old: old, new: new, semantics: semantics, environment: environment, difference: difference)
        var tally = PopulationComparison.Tally()
        for visitor in visitors { comparison.count(visitor, &tally) }
        tally.report(in: &difference)
        difference.visitorEnvironment = environment
        return difference
    }

    /// As ``difference(from:to:)``, of configs that were read already.
    package func difference(from old: ProjectConfig, to new: ProjectConfig) -> ConfigDifference {
        ConfigComparison(old: old, new: new, semantics: semantics, limits: limits).difference
    }

    /// The visitors that a difference is counted over.
    package enum Visitors: Sendable {
        /// A stream of visitors, which are decided in an environment.
        case population(PopulationFormat, environment: String)
        /// A decision log. What the call of a line decided is decided again, in the environment that the line names
        /// unless one is given, and with the line's semantics. A visitor of several lines counts once for each change.
        case log(environment: String?)
    }

    /// As ``difference(from:to:environment:visitors:)``, with the visitors of a stream, which is read as by
    /// ``PopulationAssignment/run(_:threads:read:write:didWrite:)``.
    ///
    /// - Returns: the difference, what came of the records, and the number of lines without the visitor's id, which are
    ///   not counted.
    package func difference(
        from old: ProjectConfig, to new: ProjectConfig, over visitors: Visitors, threads: Int,
        read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?
    ) throws -> (difference: ConfigDifference, records: RecordTally, unknowableCount: Int) {
        let (format, environment) =
            switch visitors {
            case .population(let format, let environment): (format, environment)
            case .log(let environment): (.jsonLines, environment ?? ProjectConfig.defaultEnvironment)
            }
        var difference = difference(from: old, to: new)
        let comparison = PopulationComparison(
            old: old, new: new, semantics: semantics, environment: environment, difference: difference)
        var options = DecisionReplay.Options()
        if case .log(let environment) = visitors { options.environment = environment }
        let replays = LogComparison(from: old, to: new, comparison: comparison, options: options)
        let stream = try unsafe RecordStream(format, read: read)
        let tally = try stream.fold(
            into: PopulationComparison.Tally(), threads: threads,
            by: {
                var reader = VisitorReader(stream.syntax)
                return { part in
                    switch visitors {
                    case .population: comparison.count(visitorsOf: part, by: &reader)
                    case .log: replays.count(linesOf: part)
                    }
                }
            },
            adding: { (sum: inout PopulationComparison.Tally, tally: PopulationComparison.Tally) in sum.add(tally) })
        tally.report(in: &difference)
        if case .log(nil) = visitors {} else { difference.visitorEnvironment = environment }
        return (difference, tally.records, tally.unknowableCount)
    }
}

extension PopulationComparison {
    /// Counts over the visitors of a part.
    fileprivate func count(visitorsOf part: RecordReader.Part, by reader: inout VisitorReader) -> Tally {
        var (tally, records) = (Tally(), RecordTally())
        reader.forEachVisitor(of: part) { record in records.add(record, storedNames) { count($0, &tally) } }
        tally.records = records
        return tally
    }
}
