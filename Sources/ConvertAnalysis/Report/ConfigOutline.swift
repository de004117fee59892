internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A config's experiences as bars and its audiences as trees, for reports.
struct ConfigOutline {
    /// The maximum number of experiences, and of audiences, on the page.
    static let limit = 200

    private let config: ProjectConfig
    private let semantics: RuleSemantics

    /// - Parameter semantics: the rules for finding variations by their ids.
    init(_ config: ProjectConfig, _ semantics: RuleSemantics) {
        self.config = config
        self.semantics = semantics
    }

    /// The sections of the page.
    var sections: [HTMLPage.Section] {
        var sections: [HTMLPage.Section] = []
        if !config.experiences.isEmpty {
            let options = CompilationOptions(semantics: semantics)
            let archive = EngineTrial(Project(config, options: options), environment: nil)
            let bars = config.experiences.prefix(Self.limit).enumerated().map { index, experience in
                Self.part(
                    "experience-\(index)", Self.heading(of: experience, isArchived: archive.isArchived(experience)),
                    Self.bar(of: experience, "", semantics))
            }
            sections.append(
                .init(
                    id: "experiences", title: "Experiences",
                    contents: HTML(bars + [Self.rest(config.experiences.count)])))
        }
        if !config.audiences.isEmpty {
            let trees = config.audiences.prefix(Self.limit).enumerated().map { index, audience in
                Self.part(
                    "audience-\(index)", audience.key ?? audience.id.text,
                    Self.details("Rules", RuleTreeOutline(audience.rules).html))
            }
            sections.append(
                .init(id: "audiences", title: "Audiences", contents: HTML(trees + [Self.rest(config.audiences.count)])))
        }
        return sections
    }

    /// The experience's title, with the environments in which it does not run. An archived experience
    /// has shares, like any other.
    private static func heading(of experience: ProjectConfig.Experience, isArchived: Bool) -> String {
        if isArchived { return experience.title + " (archived)" }
        return experience.environmentName.map { "\(experience.title) (only in \($0))" } ?? experience.title
    }

    /// The id of an entity's element on the page; `nil` if the page does not show the entity. Invalid entities are not
    /// part of the config.
    func place(of subject: LintSubject) -> String? {
        let shown: [(id: EntityID, key: String?)]
        switch subject.list {
        case .experiences: shown = config.experiences.prefix(Self.limit).map { ($0.id, $0.key) }
        case .audiences: shown = config.audiences.prefix(Self.limit).map { ($0.id, $0.key) }
        default: return nil
        }
        return shown.firstIndex { $0.id == subject.id && $0.key == subject.key }
            .map { "\(subject.list.entity)-\($0)" }
    }

    /// A bar with the shares of an experience's variations in its bucket values.
    static func bar(of experience: ProjectConfig.Experience, _ when: String, _ semantics: RuleSemantics) -> HTML {
        HTMLPage.bar("Shares of the bucket values in \(experience.title)\(when)", shares(of: experience, semantics))
    }

    /// The variations with their shares.
    static func shares(
        of experience: ProjectConfig.Experience, _ semantics: RuleSemantics
    ) -> [(name: String, share: Double)] {
        BucketShares(of: experience, semantics: semantics).arms.map { ($0.variationKey ?? $0.variationID, $0.share) }
    }

    /// An element that can be folded.
    static func details(_ summary: String, _ contents: HTML) -> HTML {
        "<details open><summary>\(summary)</summary>\(contents)</details>"
    }

    /// A visitor who shows a fact.
    static func witness(_ label: String, _ visitor: PopulationVisitor) -> HTML {
        """
        <figure class="witness"><figcaption>\(label)</figcaption>\
        <pre><code>\(visitor.json.visibleJSON)</code></pre></figure>
        """
    }

    private static func part(_ id: String, _ title: String, _ contents: HTML) -> HTML {
        #"<div id="\#(id)"><h3>\#(title)</h3>\#(contents)</div>"#
    }

    private static func rest(_ count: Int) -> HTML {
        count > limit ? #"<p class="soft">… and \#(count - limit) more</p>"# : ""
    }
}

extension ProjectConfig.Experience {
    /// The key, or else the id.
    var title: String { key ?? id.text }
}
