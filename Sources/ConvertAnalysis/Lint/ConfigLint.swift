internal import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds errors and questionable parts of a config.
///
///     let findings = try ConfigLint().findings(in: Data(contentsOf: file))
///     for finding in findings { print(finding.severity, finding.path, finding.message) }
///
/// Statements about visitors are proven. That no visitor can meet a group is shown by automata and ranges over all
/// values of its attributes. That a visitor can meet it is shown by a visitor, tried on the rule engine. Questions that
/// ``AnalysisLimits`` leave open are reported as undecided.
public struct ConfigLint: Sendable {
    /// The maximum number of listed causes, each with its consequences.
    static let limit = 1_000

    /// The semantics of rule evaluation.
    public let semantics: RuleSemantics

    /// The limits of the analysis.
    public let limits: AnalysisLimits

    /// The known findings, which are not reported.
    public let exceptions: LintExceptions

    /// Creates a lint for configs that decide under `semantics`.
    public init(
        semantics: RuleSemantics = .standard, limits: AnalysisLimits = AnalysisLimits(),
        exceptions: LintExceptions = LintExceptions()
    ) {
        self.semantics = semantics
        self.limits = limits
        self.exceptions = exceptions
    }

    /// Returns the findings. Each finding that has a cause follows its cause, with a severity of its own. Causes are
    /// sorted by the worst severity among themselves and their consequences, then in the order of the checks. Beyond
    /// 1,000 causes, one last finding counts the rest.
    ///
    /// The running time grows with the config's rules and is bounded by ``limits``: some tenths of a second for a
    /// thousand experiences.
    ///
    /// - Parameter json: the config's bytes.
    /// - Throws: `ConfigError` if they are not a valid config.
    public func findings(in json: Data) throws(ConfigError) -> [LintFinding] {
        report(on: try ProjectConfig.Document(json: json)).findings
    }

    /// Returns the findings as ``findings(in:)`` does, with the number of findings that ``exceptions`` leave out.
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
