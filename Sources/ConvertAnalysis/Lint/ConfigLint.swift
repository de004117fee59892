internal import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds what is wrong with a config, and says what is only questionable.
///
///     let findings = try ConfigLint().findings(in: Data(contentsOf: file))
///     for finding in findings { print(finding.severity, finding.path, finding.message) }
///
/// What it says of visitors is proven: that no visitor can meet a group, by automata and ranges over all values that
/// its attributes can have, and that a visitor can, by one that was tried on the rule engine. What is not decided
/// within ``AnalysisLimits`` is reported as undecided.
public struct ConfigLint: Sendable {
    /// The most causes that are listed, each with what follows from it.
    static let limit = 1_000

    /// How open questions of rule evaluation are answered.
    public let semantics: RuleSemantics

    /// What the questions may take.
    public let limits: AnalysisLimits

    /// The findings that are known and not reported.
    public let exceptions: LintExceptions

    /// A lint for configs that decide under `semantics`.
    public init(
        semantics: RuleSemantics = .standard, limits: AnalysisLimits = AnalysisLimits(),
        exceptions: LintExceptions = LintExceptions()
    ) {
        self.semantics = semantics
        self.limits = limits
        self.exceptions = exceptions
    }

    /// The findings. One that follows from another stands behind that, with a severity of its own. Causes come in the
    /// order of the worst that follows from each, and of one severity in the order in which they are looked for. Of
    /// more than 1,000 causes the rest is counted in a last finding.
    ///
    /// It costs time by the config's rules, bounded by ``limits``: some tenths of a second for a thousand experiences.
    ///
    /// - Parameter json: the config's bytes.
    /// - Throws: `ConfigError` if they are no config.
    public func findings(in json: Data) throws(ConfigError) -> [LintFinding] {
        report(on: try ProjectConfig.Document(json: json)).findings
    }

    /// As ``findings(in:)``, with the number of those that ``exceptions`` leave out.
    package func findingsAndIgnoredCount(
        in document: ProjectConfig.Document
    ) -> (findings: [LintFinding], ignoredCount: Int) {
        let report = report(on: document)
        return (report.findings, report.ignoredCount)
    }

    private func report(on document: ProjectConfig.Document) -> LintReportContents {
        let contents = ConfigDocument(document.root.objectValue ?? JSObject())
        var context = LintContext(contents, document.config, semantics: semantics, limits: limits)
        context.checkRepeated(document.repeatedMembers)
        context.checkMembers()
        context.checkFrames()
        context.checkNames()
        context.checkReferences()
        context.checkEnvironments()
        context.checkAllocations()
        context.checkFeatures()
        context.checkRules()
        context.checkExclusions()
        context.checkReachability()
        context.checkSuspicions()
        context.addDiagnostics()
        return context.report(without: exceptions)
    }
}
