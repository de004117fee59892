internal import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds the changes that a new version of a config makes, and the visitors that they affect.
///
///     let difference = try ConfigDiff().difference(from: oldJSON, to: newJSON)
///     for experience in difference.experiences { print(experience.key, experience.moved, experience.audience) }
///
/// Shares are exact: they count the 10,000 bucket values of an experience. If audiences are reported as equivalent,
/// that is proven; if not, the difference names a visitor, tried on both configs, as an example.
public struct ConfigDiff: Sendable {
    /// The semantics of rule evaluation.
    public let semantics: RuleSemantics

    /// The limits of the analysis.
    public let limits: AnalysisLimits

    /// Creates a comparison of configs that decide under `semantics`.
    public init(semantics: RuleSemantics = .standard, limits: AnalysisLimits = AnalysisLimits()) {
        self.semantics = semantics
        self.limits = limits
    }

    /// Returns the changes from the config `old` to the config `new`.
    ///
    /// - Throws: `ConfigError` if one of the two is not a valid config.
    public func difference(from old: Data, to new: Data) throws(ConfigError) -> ConfigDifference {
        difference(from: try ProjectConfig(json: old), to: try ProjectConfig(json: new))
    }

    /// Returns the changes as ``difference(from:to:)`` does, together with their effect on a population.
    ///
    /// - Parameters:
    ///   - old: the bytes of the old version.
    ///   - new: the bytes of the new version.
    ///   - environment: the environment to decide in.
    ///   - visitors: the population. It is iterated once.
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

    /// Returns the changes as ``difference(from:to:)`` does, for configs that are already read.
    package func difference(from old: ProjectConfig, to new: ProjectConfig) -> ConfigDifference {
        ConfigComparison(old: old, new: new, semantics: semantics, limits: limits).difference
    }

    /// The visitors that a difference is counted over.
    package enum Visitors: Sendable {
        /// A stream of visitors, decided in `environment`.
        case population(PopulationFormat, environment: String)
        /// A decision log. Repeats the call of each line with the line's semantics, in `environment` or, if that is
        /// `nil`, in the line's environment. A visitor with several lines counts once for each change.
        case log(environment: String?)
    }

    /// Returns the changes as ``difference(from:to:environment:visitors:)`` does, with visitors from a stream, which is
    /// read as ``PopulationAssignment/run(_:threads:read:write:didWrite:)`` reads it.
    ///
    /// - Returns: the difference, the results of reading the records, and the number of lines without the visitor's id,
    ///   which are not counted.
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
        // Safe: the stream passes `read` a buffer that it owns, only during the call.
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
    /// Counts the visitors of a part.
    fileprivate func count(visitorsOf part: RecordReader.Part, by reader: inout VisitorReader) -> Tally {
        var (tally, records) = (Tally(), RecordTally())
        reader.forEachVisitor(of: part) { record in records.add(record, storedNames) { count($0, &tally) } }
        tally.records = records
        return tally
    }
}
