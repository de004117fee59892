internal import ConvertECMAScript
public import ConvertSwiftSDKCore

/// A lint's findings as an HTML page.
public struct LintReport: Sendable {
    /// The origin that the page shows.
    public var provenance = PageProvenance()

    private let findings: [LintFinding]
    private let config: ProjectConfig
    private let outline: ConfigOutline

    /// Creates a report on `findings` in `config`, which decides under `semantics`.
    public init(_ findings: [LintFinding], in config: ProjectConfig, semantics: RuleSemantics) {
        self.findings = findings
        self.config = config
        outline = ConfigOutline(config, semantics)
    }

    /// The report as one HTML document that needs no network and can be read without scripts.
    public var html: String {
        var sections = [HTMLPage.Section(id: "overview", title: "Overview", contents: overview)]
        for severity in LintFinding.Severity.allCases {
            let found = findings.enumerated().filter { $0.element.severity == severity }
            if found.isEmpty { continue }
            sections.append(
                .init(
                    id: severity.heading.lowercased(), title: severity.heading,
                    contents: HTML(found.map { article($0.offset, $0.element) })))
        }
        let name = config.project.name.map { " of \($0.excerpt(80))" } ?? ""
        return HTMLPage(
            title: "Lint", summary: summary + name + ".", sections: sections + outline.sections, provenance: provenance
        ).source
    }

    private var summary: String {
        (findings.counts ?? "Nothing found") + " in the config"
    }

    /// The entities with their problems in words, the worst first.
    private var overview: HTML {
        if findings.isEmpty { return #"<p class="good">No finding.</p>"# }
        let all = LintOverview(findings).entries
        let entries = HTML(all.prefix(ConfigOutline.limit).map { entry($0) })
        let more = all.count - ConfigOutline.limit
        return more > 0 ? #"\#(entries)<p class="soft">… and \#(more) more</p>"# : entries
    }

    private func entry(_ entry: LintOverview.Entry) -> HTML {
        let name: HTML = entry.subject?.name.map { #" <span class="soft">\#($0)</span>"# } ?? ""
        let points = entry.kinds.enumerated().map { index, kind -> HTML in
            // The heading already contains the first problem.
            let lead: HTML = index == 0 ? "" : "<strong>It \(kind.code.words):</strong> "
            let links = HTML(
                kind.places.prefix(Self.mostOfAKind).map { place in
                    ##"\##(findings[place].message) <a href="#finding-\##(place + 1)">Details</a>"##
                })
            let more = kind.places.count - Self.mostOfAKind
            let rest: HTML = more > 0 ? " And \(more) more of this kind." : ""
            let cause: HTML = kind.cause.map { " Cause: \($0)." } ?? ""
            return "<li>\(lead)\(links)\(rest)\(cause)</li>"
        }
        return """
            <h3><span class="verdict\(entry.severity == .error ? " bad" : "")">\(entry.severity.rawValue)</span> \
            \(entry.title)\(name)</h3>
            <ul>\(HTML(points))</ul>
            """
    }

    /// The maximum number of findings of one kind that the overview shows for an entity.
    private static let mostOfAKind = 3

    private func article(_ index: Int, _ finding: LintFinding) -> HTML {
        let place = finding.subject.flatMap(outline.place)
        let path: HTML = "<code>\(finding.path)</code>"
        let link: HTML = place.map { ##"<a href="#\##($0)">\##(path)</a>"## } ?? path
        let witness = finding.witness.map { ConfigOutline.witness("A visitor who shows it", $0) } ?? ""
        let contrast = finding.contrast.map { ConfigOutline.witness("A visitor with another answer", $0) } ?? ""
        return """
            <article id="finding-\(index + 1)" aria-labelledby="finding-\(index + 1)-title">
            <h3 id="finding-\(index + 1)-title">\(index + 1). \(finding.sentence)</h3>
            <p>\(finding.message)</p>
            <p>\(finding.remedy)</p>
            <p class="soft">\(finding.code.rawValue) at \(link)</p>
            \(cause(of: finding))
            \(witness)\(contrast)
            </article>
            """
    }
}

/// A paragraph with the cause of `finding`; empty if it has no cause.
private func cause(of finding: LintFinding) -> HTML {
    guard let cause = finding.because else { return "" }
    return #"<p class="soft">Follows from \#(cause.code.rawValue) at <code>\#(cause.path)</code>.</p>"#
}

extension LintFinding.Severity {
    fileprivate var heading: String {
        switch self {
        case .error: "Errors"
        case .warning: "Warnings"
        case .suspicious: "Suspicious"
        case .note: "Notes"
        }
    }
}
