internal import ConvertECMAScript

/// Findings as checks report them: sorted by severity, consequences under their causes, and only then cut.
struct FindingLog {
    /// How many findings of one severity are kept. More than are listed, because some may be ignored.
    private static let limit = 5_000

    private var findings: [LintFinding] = []
    private var counts: [LintFinding.Severity: Int] = [:]
    /// How many findings were added, kept or not.
    private(set) var count = 0

    /// Whether no more findings of a severity are kept, so that it is not worth looking for more.
    func isFull(_ severity: LintFinding.Severity) -> Bool { counts[severity, default: 0] >= Self.limit }

    /// The paths of the findings so far, without those of a kind.
    func paths(without code: LintCode) -> [String] { findings.filter { $0.code != code }.map(\.path) }

    mutating func add(_ finding: LintFinding) {
        count += 1
        let before = counts[finding.severity, default: 0]
        counts[finding.severity] = before + 1
        if before < Self.limit { findings.append(finding) }
    }

    /// The findings of a report.
    ///
    /// - Parameters:
    ///   - document: the config, for the names of entities.
    ///   - exceptions: the findings that are left out.
    ///   - limit: how many causes are listed, each with what follows from it.
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
        // What was not kept, or not even looked for, may be new although all that was kept is known.
        let unkept = counts.filter { $0.value >= Self.limit }.keys.min()
        if dropped > 0 || unkept != nil {
            result.append(
                LintFinding(
                    .moreFindings, unkept, at: "$",
                    dropped > 0
                        ? "There are \(dropped) more findings, which are not listed."
                        : "There may be more findings: \(Self.limit) of one severity are looked at.",
                    remedy: "Correct these first."))
        }
        return LintReportContents(findings: result, ignoredCount: named.count - kept.count)
    }
}

/// What a lint reports.
struct LintReportContents {
    let findings: [LintFinding]
    /// How many findings are left out because they are known.
    let ignoredCount: Int
}

/// Finds the first cause of each finding.
private struct FindingCauses {
    /// For each finding the place of its first cause, its own place if it is one.
    private(set) var roots: [Int]

    init(_ findings: [LintFinding]) {
        roots = Array(findings.indices)
        let causes = findings.indices.filter { findings[$0].code.isCause }
            .sorted { findings[$0].path.utf8.lexicographicallyPrecedes(findings[$1].path.utf8) }
        let paths = causes.map { Array(findings[$0].path.utf8) }
        for index in findings.indices where !findings[index].origins.isEmpty {
            for origin in findings[index].origins {
                let start = Array(origin.utf8)
                var place = paths.indices.partitioningIndex { !paths[$0].lexicographicallyPrecedes(start) }
                while place < paths.count, paths[place].starts(with: start) {
                    defer { place += 1 }
                    let rest = paths[place].dropFirst(start.count).first
                    // What stands within a member that is never read says nothing about others.
                    let isOpen = findings[causes[place]].code != .unreadMember
                    let isWithin =
                        rest == nil || isOpen && (rest == UInt8(ascii: ".") || rest == UInt8(ascii: "["))
                    if causes[place] != index, isWithin {
                        roots[index] = causes[place]
                        break
                    }
                }
                if roots[index] != index { break }
            }
        }
        // Causes have causes: an experience its audience, that a group, that a pattern.
        for index in roots.indices {
            var root = roots[index]
            var steps = 0
            while roots[root] != root, steps < 16 {
                root = roots[root]
                steps += 1
            }
            roots[index] = root
        }
    }
}
