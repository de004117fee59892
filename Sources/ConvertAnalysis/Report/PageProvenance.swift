public import ConvertSwiftSDKCore

/// The origin of a page, for its readers.
public struct PageProvenance: Sendable {
    /// Revisions of the configs, as a decision log names them, in the order in which they were read.
    public var configs: [String] = []
    /// The project's name or id.
    public var project: String?
    /// The environment of the decisions.
    public var environment: String?
    /// The semantics of rule evaluation.
    public var semantics: RuleSemantics?
    /// Whether the page is about a log. Its lines name their environment and semantics, which count unless
    /// ``environment`` or ``semantics`` is set.
    public var isOfLog = false
    /// The time of creation, as text.
    public var date: String?
    /// The program that made the page, such as `convert-sdk 1.0.0`.
    public var tool: String?

    /// Creates an empty provenance.
    public init() {}

    /// The known facts, each with its name.
    private var facts: [(name: String, value: String)] {
        let open = isOfLog ? "of each line" : nil
        return [
            ("Project", project),
            (configs.count > 1 ? "Configs" : "Config", configs.isEmpty ? nil : configs.joined(separator: " → ")),
            ("Environment", environment ?? open), ("Semantics", semantics?.rawValue ?? open), ("Made", date),
            ("By", tool),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The known facts as a list; empty if no fact is known.
    var html: HTML {
        let items = facts.map { fact -> HTML in "<div><dt>\(fact.name)</dt><dd>\(fact.value)</dd></div>" }
        return items.isEmpty ? "" : #"<dl class="provenance">\#(HTML(items))</dl>"#
    }
}
