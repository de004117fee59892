/// Findings grouped by their entities, the worst first.
struct LintOverview {
    /// The findings of one kind on an entity.
    struct Kind {
        let code: LintCode
        /// The indices of the findings in the report.
        var places: [Int]
        /// The cause in words; `nil` if the findings have no cause.
        let cause: String?
    }

    /// The findings on one entity.
    struct Entry {
        /// The entity; `nil` stands for the whole config.
        let subject: LintSubject?
        let severity: LintFinding.Severity
        let title: String
        var kinds: [Kind]
    }

    /// The entities in the order of their worst findings: experiences before their parts.
    private(set) var entries: [Entry] = []

    init(_ findings: [LintFinding]) {
        let causes = Dictionary(
            firstOf: findings.map { (LintFinding.Cause(code: $0.code, path: $0.path), $0.sentence) })
        let order = findings.indices.sorted { (findings[$0].severity, $0) < (findings[$1].severity, $1) }
        var places: [LintSubject?: Int] = [:]
        for index in order {
            let finding = findings[index]
            let place = places[finding.subject] ?? entries.count
            if place == entries.count {
                places[finding.subject] = place
                entries.append(
                    Entry(subject: finding.subject, severity: finding.severity, title: finding.sentence, kinds: []))
            }
            if let known = entries[place].kinds.firstIndex(where: { $0.code == finding.code }) {
                entries[place].kinds[known].places.append(index)
            } else {
                entries[place].kinds.append(
                    Kind(code: finding.code, places: [index], cause: finding.because.flatMap { causes[$0] }))
            }
        }
        entries.sort { $0.order.lexicographicallyPrecedes($1.order) }
    }
}

extension LintOverview.Entry {
    /// The sort order: by severity, then by kind and index. Findings about the whole config come last.
    fileprivate var order: [Int] {
        let rank = LintFinding.Severity.allCases.firstIndex(of: severity) ?? 0
        let list = subject.flatMap { ConfigDocument.List.allCases.firstIndex(of: $0.list) } ?? .max
        return [rank, list, subject?.index ?? 0]
    }
}

extension LintFinding {
    /// A sentence about the entity and its problem: `Experience “checkout” can never be entered by a new visitor`.
    var sentence: String { "\(subject?.title ?? "The config") \(code.words)" }
}
