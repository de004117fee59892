import ConvertSwiftSDK

/// Uses values whose types `ConvertSwiftSDK` does not name, as an app may with that import alone.
func describe(_ visitor: ConvertContext) -> String {
    let explanation = visitor.explain("one-page-checkout")
    let experience = visitor.config?.experiences[key: "one-page-checkout"]
    return "\(explanation?.gates.count ?? 0) gates, \(experience?.variations.count ?? 0) variations"
}
