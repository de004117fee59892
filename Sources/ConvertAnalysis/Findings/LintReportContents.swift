/// The contents of a lint report.
struct LintReportContents {
    let findings: [LintFinding]
    /// The number of findings that are left out because they are known.
    let ignoredCount: Int
}
