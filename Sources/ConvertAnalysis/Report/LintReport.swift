internal import ConvertECMAScript
public import ConvertSwiftSDKCore

/// What a lint found, as a page to look at.
public struct LintReport: Sendable {
    /// What the page says of its origin.
    public var provenance = PageProvenance()

    private let findings: [LintFinding]
    private let config: ProjectConfig
    private let outline: ConfigOutline

    /// A report on `findings` in `config`.
    public init(_ findings: [LintFinding], in config: ProjectConfig) {
        self.findings = findings
        self.config = config
        outline = ConfigOutline(config)
    }

    /// The report as one HTML document that needs no network, and no script to be read.
    public var html: String {
        var sections = [HTMLPage.Section(id: "overview", title: "Overview", contents: overview)]
        for severity in LintFinding.Severity.allCases {
            let found = findings.enumerated().filter { $0.element.severity == severity }
            if found.isEmpty { continue }
            sections.append(
                .init(
                    id: severity.rawValue + "s", title: severity.heading,
                    contents: HTML(found.map { article($0.offset, $0.element) })))
        }
        let name = config.project.name.map { " of \($0.excerpt(80))" } ?? ""
        return HTMLPage(
            title: "Lint", summary: summary + name + ".", sections: sections + outline.sections, provenance: provenance
        ).source
    }

    private var summary: String {
        let counts = LintFinding.Severity.allCases.map { severity in
            (severity.rawValue, findings.count { $0.severity == severity })
        }
        let parts = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)\($0.1 == 1 || $0.0 == "suspicious" ? "" : "s")" }
        return (parts.isEmpty ? "Nothing found" : parts.joined(separator: ", ")) + " in the config"
    }

    private var overview: HTML {
        if findings.isEmpty { return #"<p class="good">No finding.</p>"# }
        return HTMLPage.table(
            "Findings, the most severe first", ["Finding", "Severity", "About", "What is wrong"],
            findings.enumerated().map { index, finding in
                [
                    .link("\(index + 1)", to: "finding-\(index + 1)"),
                    .grade(finding.severity.rawValue, rank: finding.severity.place, isBad: finding.severity == .error),
                    .text(finding.entity ?? finding.path), .text(finding.message),
                ]
            })
    }

    private func article(_ index: Int, _ finding: LintFinding) -> HTML {
        let place = outline.place(of: finding.path)
        let path: HTML = "<code>\(finding.path)</code>"
        let link: HTML = place.map { ##"<a href="#\##($0)">\##(path)</a>"## } ?? path
        let witness = finding.witness.map { ConfigOutline.witness("A visitor who shows it", $0) } ?? ""
        let contrast = finding.contrast.map { ConfigOutline.witness("A visitor of another answer", $0) } ?? ""
        return """
            <article id="finding-\(index + 1)" aria-labelledby="finding-\(index + 1)-title">
            <h3 id="finding-\(index + 1)-title">\(index + 1). \(finding.code.rawValue)</h3>
            <p>\(link)</p>
            <p>\(finding.message)</p>
            <p class="soft">\(finding.remedy)</p>
            \(cause(of: finding))
            \(witness)\(contrast)
            </article>
            """
    }
}

/// What `finding` follows from, if it follows from another one.
private func cause(of finding: LintFinding) -> HTML {
    guard let cause = finding.because else { return "" }
    return #"<p class="soft">Follows from \#(cause.code.rawValue) at <code>\#(cause.path)</code>.</p>"#
}

extension LintFinding.Severity {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    fileprivate var heading: String {
        switch self {
        case .error: "Errors"
        case .warning: "Warnings"
        case .suspicious: "Suspicious"
        case .note: "Notes"
        }
    }
}
