import ConvertECMAScript

/// The documents that `convert-sdk schema` describes.
enum SchemaName: String, CaseIterable {
    case config, visitors, tests
    case mobileRules = "mobile-rules"
    case decide, features, rules, lint, diff, simulate
    case sampleRatio = "srm"
    case sampleRatioLog = "srm-log"
    case replay

    /// A short description of the document.
    var summary: String {
        switch self {
        case .config: "a project config, as the CDN serves it"
        case .visitors: "one line of a file of visitors"
        case .tests: "a file of tests, as 'test' reads it"
        case .mobileRules: "a rules.json"
        case .decide: "what 'decide --json' prints"
        case .features: "what 'features --json' prints"
        case .rules: "what 'rules --json' prints"
        case .lint: "what 'lint --json' prints"
        case .diff: "what 'diff --json' prints"
        case .simulate: "what 'simulate --json' prints"
        case .sampleRatio: "what 'srm --json' prints"
        case .sampleRatioLog: "what 'srm --log --json' prints"
        case .replay: "what 'replay --json' prints"
        }
    }

    /// The JSON Schema (2020-12) as text with several lines.
    var json: String {
        switch self {
        case .config: ConfigSchema.json
        case .visitors: VisitorSchema.json
        case .tests: VisitorSchema.tests
        case .mobileRules: MobileRulesSchema.json
        case .decide: OutputSchemas.decide
        case .features: OutputSchemas.features
        case .rules: OutputSchemas.rules
        case .lint: OutputSchemas.lint
        case .diff: OutputSchemas.diff
        case .simulate: OutputSchemas.simulate
        case .sampleRatio: OutputSchemas.sampleRatio
        case .sampleRatioLog: OutputSchemas.sampleRatioLog
        case .replay: OutputSchemas.replay
        }
    }

    /// `names` as the elements of a JSON array.
    static func elements(_ names: [String]) -> String {
        names.map { ECMAScript.jsonText(of: .string($0)) }.joined(separator: ", ")
    }
}
