internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What the checks of one config share: the config, what was found, and what is known of its conditions.
struct LintContext {
    let document: ConfigDocument
    let project: Project
    let semantics: RuleSemantics
    let pool: ConditionPool
    let search: VisitorSearch
    let entrances: Entrances
    /// What questions whether groups add anybody may still take, so that something is left for those about experiences.
    var implicationWork: Int
    /// How many more decisions may be made for visitors who show what the order of experiences does.
    var decisionsLeft = 300_000
    private(set) var findings: [LintFinding] = []
    /// Whether there are more findings than are listed.
    private(set) var isFull = false
    /// How many more names are compared letter by letter with one that is unknown.
    private var comparisonsLeft = 200_000

    init(_ document: ConfigDocument, _ config: ProjectConfig, semantics: RuleSemantics, limits: AnalysisLimits) {
        self.document = document
        self.semantics = semantics
        project = Project(config, options: CompilationOptions(semantics: semantics))
        pool = ConditionPool(semantics: semantics, budget: AnalysisBudget(limits))
        search = VisitorSearch(pool)
        entrances = Entrances(project.config, pool: pool)
        implicationWork = limits.transitions / 2
    }

    mutating func add(_ finding: LintFinding) {
        guard findings.count < ConfigLint.limit else {
            isFull = true
            return
        }
        findings.append(finding)
    }

    /// The name that was probably meant; `nil` if none is near, if it is among them itself, and once too many were compared.
    mutating func nearest(to name: String, among names: [String]) -> String? {
        guard names.count <= comparisonsLeft, !names.contains(where: { $0.hasSameCodeUnits(as: name) }) else {
            return nil
        }
        comparisonsLeft -= names.count
        return names.nearest(to: name)
    }

    /// Adds what decoding and compiling complained about, where no finding says it already.
    mutating func addDiagnostics() {
        let paths = findings.map(\.path)
        for diagnostic in project.diagnostics where !paths.contains(where: { $0.isAlong(diagnostic.path) }) {
            add(
                LintFinding(
                    .malformed, at: diagnostic.path, diagnostic.message,
                    remedy: "Correct what stands there, or remove it."))
        }
    }

    /// The findings, the most severe first.
    var sortedFindings: [LintFinding] {
        var result = findings.enumerated().sorted {
            ($0.element.severity, $0.offset) < ($1.element.severity, $1.offset)
        }
        .map(\.element)
        if isFull {
            result.append(
                LintFinding(
                    .moreFindings, at: "$",
                    "There are more than \(ConfigLint.limit) findings; the others are not listed.",
                    remedy: "Correct these first."))
        }
        return result
    }
}

extension String {
    /// Whether one of two paths leads through the other.
    fileprivate func isAlong(_ other: String) -> Bool {
        let (short, long) = utf8.count < other.utf8.count ? (self, other) : (other, self)
        guard long.hasPrefix(short) else { return false }
        let next = long.utf8.dropFirst(short.utf8.count).first
        return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
    }
}
