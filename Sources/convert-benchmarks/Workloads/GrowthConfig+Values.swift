/// The values in the rules of the generated audiences, and the feature of one experience.
extension GrowthConfig {
    private static let countries = ["us", "de", "fr", "gb", "br", "in", "jp", "ca"]
    private static let regions = ["california", "bavaria", "ontario", "bahia", "kanto", "texas", "normandy", "wales"]
    private static let systems = ["ios", "ipados", "android", "macos"]
    private static let plans = ["free", "pro", "team", "enterprise"]

    static let exactPools = [
        ("geo_country", countries), ("plan", plans), ("device_type", ["phone", "tablet", "desktop"]),
        ("os_name", systems),
        ("language_code", ["en-us", "de-de", "fr-fr", "en-gb", "pt-br", "hi-in", "ja-jp", "fr-ca"]),
    ]
    static let parts = [
        ("page_path", "/products/"), ("page_path", "item-"), ("referrer", "google"), ("referrer", "example"),
        ("geo_city", "a"), ("utm_term", "sale"), ("language_code", "en"), ("geo_region", "or"),
    ]
    static let prefixes = [
        ("page_path", "/products"), ("os_version", "1"), ("app_version", "5."), ("language_code", "fr"),
        ("user_group", "group-0"),
    ]
    static let suffixes = [("language_code", "us"), ("page_path", "sale"), ("geo_city", "o"), ("utm_term", "7d")]
    static let listPools = [
        ("geo_country", countries, 4), ("plan", plans, 2), ("os_name", systems, 2), ("geo_region", regions, 4),
    ]
    static let numbers = [("visits", 200), ("age", 80), ("cart_value", 500), ("sessions", 50), ("ltv", 5000)]
    static let counts = [("visits", 200), ("age", 80), ("sessions", 50)]

    /// Two variables of each type: one has a JSON value of that type, the other a text that must be cast.
    static let variables =
        #"{"show_banner":true,"use_new_flow":"true","max_items":12,"page_size":"24","discount":0.15,"#
        + ##""tax_rate":"0.0825","headline":"Welcome back","accent_color":"#ff6600","layout":{"columns":3,"##
        + #""sections":["hero","grid","footer"],"compact":false},"#
        + ##""copy":"{\"title\":\"Hello\",\"items\":[1,2,3],\"nested\":{\"a\":true}}"}"##

    static let feature: String = {
        let types = [
            ("show_banner", "boolean"), ("use_new_flow", "boolean"), ("max_items", "integer"), ("page_size", "integer"),
            ("discount", "float"), ("tax_rate", "float"), ("headline", "string"), ("accent_color", "string"),
            ("layout", "json"), ("copy", "json"),
        ]
        let variables = types.map { #"{"key":"\#($0.0)","type":"\#($0.1)"}"# }.joined(separator: ",")
        return #"{"id":"9001","key":"feature-1","name":"Feature feature-1","variables":[\#(variables)]}"#
    }()
}

/// Sebastiano Vigna's splitmix64.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
