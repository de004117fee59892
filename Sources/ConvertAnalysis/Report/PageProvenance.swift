public import ConvertSwiftSDKCore

/// Where a page comes from, so that readers know what it is about.
public struct PageProvenance: Sendable {
    /// Revisions of the configs, as a decision log names them, in the order in which they were read.
    public var configs: [String] = []
    /// The project, by name or id.
    public var project: String?
    /// The environment that was decided in.
    public var environment: String?
    /// How open questions of rule evaluation were answered.
    public var semantics: RuleSemantics?
    /// Whether each line of a log has an environment and semantics of its own, which count where none is named here.
    public var isOfLog = false
    /// When the page was made, as text.
    public var date: String?
    /// What made the page, such as `convert-sdk 1.0.0`.
    public var tool: String?

    /// A provenance of which nothing is said.
    public init() {}

    /// The facts that are known, each with its name.
    private var facts: [(name: String, value: String)] {
        let open = isOfLog ? "of each line" : nil
        return [
            ("Project", project),
            (configs.count > 1 ? "Configs" : "Config", configs.isEmpty ? nil : configs.joined(separator: " → ")),
            ("Environment", environment ?? open), ("Semantics", semantics?.rawValue ?? open), ("Made", date),
            ("By", tool),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The facts as a list; nothing if none is known.
    var html: HTML {
        let items = facts.map { fact -> HTML in "<div><dt>\(fact.name)</dt><dd>\(fact.value)</dd></div>" }
        return items.isEmpty ? "" : #"<dl class="provenance">\#(HTML(items))</dl>"#
    }
}
