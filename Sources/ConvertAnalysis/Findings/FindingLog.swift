internal import ConvertECMAScript

/// Collects the checks' findings. A report sorts them by severity, puts consequences under their causes, and cuts the
/// list only then.
struct FindingLog {
    /// The maximum number of kept findings of one severity. Greater than the number of listed ones, because some may be
    /// ignored.
    private static let limit = 5_000

    private var findings: [LintFinding] = []
    private var counts: [LintFinding.Severity: Int] = [:]
    /// The number of added findings, including dropped ones.
    private(set) var count = 0

    /// Whether further findings of a severity are dropped, so looking for more is not worthwhile.
    func isFull(_ severity: LintFinding.Severity) -> Bool { counts[severity, default: 0] >= Self.limit }

    /// The paths of the findings so far, except findings of the kind `code`.
    func paths(without code: LintCode) -> [String] { findings.filter { $0.code != code }.map(\.path) }

    mutating func add(_ finding: LintFinding) {
        count += 1
        let before = counts[finding.severity, default: 0]
        counts[finding.severity] = before + 1
        if before < Self.limit { findings.append(finding) }
    }

    /// The contents of a report.
    ///
    /// - Parameters:
    ///   - document: the config, for the names of entities.
    ///   - exceptions: the findings to leave out.
    ///   - limit: the maximum number of listed causes, each with its consequences.
    func report(on document: ConfigDocument, without exceptions: LintExceptions, limit: Int) -> LintReportContents {
        var exceptions = exceptions
        var named = findings
        for index in named.indices {
            let finding = named[index]
            if let entity = document.entity(at: finding.path) {
                named[index].entity = entity.name
                named[index].subject = LintSubject(entity)
                named[index].place = entity.placePath + finding.path.dropFirst(entity.path.count)
            }
        }
        let causes = FindingCauses(named).roots
        let kept = named.indices.filter { !exceptions.removes(named[$0]) }
        for index in kept where causes[index] != index {
            named[index].because = LintFinding.Cause(code: named[causes[index]].code, path: named[causes[index]].path)
        }
        var worst: [Int: LintFinding.Severity] = [:]
        for index in kept {
            worst[causes[index]] = min(worst[causes[index]] ?? .note, named[index].severity)
        }
        let sorted = kept.sorted { left, right in
            let (first, second) = (causes[left], causes[right])
            if first != second {
                return (worst[first] ?? .note, first) < (worst[second] ?? .note, second)
            }
            // The cause itself comes first.
            if (left == first) != (right == first) { return left == first }
            return (named[left].severity, left) < (named[right].severity, right)
        }
        var families: Set<Int> = []
        var result = sorted.prefix { index in
            families.insert(causes[index])
            return families.count <= limit
        }.map { named[$0] }
        let dropped = counts.values.reduce(0) { $0 + max(0, $1 - Self.limit) } + sorted.count - result.count
        // Findings that were not kept, or not even looked for, may be new even if all kept ones are known.
        let unkept = counts.filter { $0.value >= Self.limit }.keys.min()
        if dropped > 0 || unkept != nil {
            result.append(
                LintFinding(
                    .moreFindings, unkept, at: "$",
                    dropped > 0
                        ? "There are \(dropped) more findings, which are not listed."
                        : "There may be more findings: the checks stop at \(Self.limit) of one severity.",
                    remedy: "Correct these first."))
        } else {
            result += UnusedExceptions(document).findings(about: exceptions).filter { !exceptions.removes($0) }
        }
        return LintReportContents(findings: result, ignoredCount: named.count - kept.count)
    }
}
