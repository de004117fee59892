internal import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out what a new version of a config changes for whom.
///
///     let difference = try ConfigDiff().difference(from: oldJSON, to: newJSON)
///     for experience in difference.experiences { print(experience.key, experience.moved, experience.audience) }
///
/// Shares are exact, by the 10,000 bucket values of an experience. That audiences are equivalent is proven; where they are
/// not, a visitor that was decided on both configs shows it.
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
        ConfigComparison(
            old: try ProjectConfig(json: old), new: try ProjectConfig(json: new), semantics: semantics, limits: limits
        ).difference
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
        var difference = ConfigComparison(old: old, new: new, semantics: semantics, limits: limits).difference
        var count = PopulationComparison(old: old, new: new, semantics: semantics, environment: environment)
        for visitor in visitors { count.add(visitor) }
        count.report(in: &difference)
        return difference
    }

    /// As ``difference(from:to:environment:visitors:)``, with the visitors of a stream, which is read as by
    /// ``PopulationAssignment/run(_:threads:read:write:didWrite:)``, and with what came of its records.
    package func difference(
        from old: Data, to new: Data, environment: String, _ format: PopulationFormat,
        read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?
    ) throws -> (difference: ConfigDifference, records: AssignmentTally) {
        let (old, new) = (try ProjectConfig(json: old), try ProjectConfig(json: new))
        var difference = ConfigComparison(old: old, new: new, semantics: semantics, limits: limits).difference
        var count = PopulationComparison(old: old, new: new, semantics: semantics, environment: environment)
        var tally = AssignmentTally()
        let stream = try RecordStream(format, read: read)
        var reader = VisitorReader(stream.syntax)
        while let part = try stream.next() {
            reader.forEachVisitor(of: part) { visitor in
                switch visitor {
                case .success(let visitor):
                    count.add(visitor)
                    tally.recordCount += 1
                case .failure(let error): tally.add(error)
                }
            }
        }
        count.report(in: &difference)
        return (difference, tally)
    }

    /// As ``difference(from:to:environment:visitors:)``, with the visitors of a decision log. A line counts once, as a visitor
    /// with what was stored before it, in the environment that it names unless `environment` is given.
    ///
    /// - Returns: the difference, what came of the lines, and the number of lines without the visitor's id, which are not
    ///   counted.
    package func difference(
        from old: Data, to new: Data, environment: String?,
        log read:
            @escaping @Sendable (
                UnsafeMutableRawBufferPointer
            ) throws -> Int?
    ) throws -> (difference: ConfigDifference, records: AssignmentTally, unknowableCount: Int) {
        let (old, new) = (try ProjectConfig(json: old), try ProjectConfig(json: new))
        var difference = ConfigComparison(old: old, new: new, semantics: semantics, limits: limits).difference
        var count = PopulationComparison(
            old: old, new: new, semantics: semantics, environment: environment ?? "staging")
        var tally = AssignmentTally()
        var unknowableCount = 0
        let stream = try RecordStream(.jsonLines, read: read)
        while let part = try stream.next() {
            part.forEach(.jsonLines) { record in
                do {
                    guard let record else { throw PopulationVisitorError.tooLong }
                    let line = try LoggedDecisions(json: record.assumingMemoryBound(to: UInt8.self))
                    tally.recordCount += 1
                    if line.hasNoVisitorID {
                        unknowableCount += 1
                    } else {
                        count.add(line.visitor, in: environment ?? line.environment)
                    }
                } catch let error as PopulationVisitorError {
                    tally.add(error)
                } catch {}
            }
        }
        count.report(in: &difference)
        return (difference, tally, unknowableCount)
    }
}
