import Foundation

/// Generates the documents of mobile rules for the growth series. Python's `json.dumps` writes exactly the same bytes,
/// so that all engines read the same document. The first 1000 rules are the same as in `w8-rules.json`.
///
/// Each rule has three matchers. In three of four rules the first matcher is selective: it matches two of 50 campaigns.
struct GrowthRules {
    private var random = SplitMix64(state: 8)

    static func json(rules count: Int) -> Data {
        var growth = GrowthRules()
        let rules = (0..<count).map { growth.rule($0) }
        return Data(#"{"version":1,"rules":[\#(rules.joined(separator: ","))]}"#.utf8)
    }

    private mutating func rule(_ index: Int) -> String {
        var matchers = (0..<3).map { _ in matcher() }
        if random.below(4) != 0 { matchers[0] = Self.matcher("campaign.id", "eq", [campaign(), campaign()]) }
        let condition =
            switch index % 3 {
            case 0: Self.group("and", matchers)
            case 1: Self.group("and", [matchers[1], Self.group("or", [matchers[0], matchers[2]])])
            default:
                Self.group(
                    "or",
                    [Self.group("and", [matchers[0], matchers[1]]), Self.group("and", [matchers[2], matchers[0]])])
            }
        return #"{"condition":\#(condition),"consequences":[{"id":"rc-\#(index)","type":"url","#
            + #""detail":{"url":"https://example.com/r/\#(index)"}}]}"#
    }

    private mutating func matcher() -> String {
        switch random.below(20) {
        case ..<8:
            let (key, pool) = random.pick(Self.exactPools)
            let count = 1 + random.below(2)
            let first = random.below(pool.count)
            let isNegated = random.below(5) == 0
            let values = (0..<(isNegated ? 1 : count)).map { "\"\(pool[(first + $0) % pool.count])\"" }
            return Self.matcher(key, isNegated ? "ne" : "eq", values)
        case ..<11:
            let (key, part) = random.pick(Self.parts)
            return Self.matcher(key, random.pick(["co", "co", "nc"]), ["\"\(part)\""])
        case ..<13:
            let (key, prefix) = random.pick(Self.prefixes)
            return Self.matcher(key, "sw", ["\"\(prefix)\""])
        case ..<14:
            let (key, suffix) = random.pick(Self.suffixes)
            return Self.matcher(key, "ew", ["\"\(suffix)\""])
        case ..<18:
            let (key, limit) = random.pick(Self.counts)
            let name = random.pick(["gt", "ge", "lt", "le"])
            return Self.matcher(key, name, ["\(limit / 4 + random.below(limit / 2))"])
        case ..<19:
            let name = random.pick(["gt", "lt"])
            return Self.matcher("cart.total", name, ["\(random.below(250)).25"])
        default:
            return Self.matcher("campaign.id", "ex", [])
        }
    }

    private mutating func campaign() -> String {
        let number = random.below(50)
        return "\"cmp-0\(number < 10 ? "0" : "")\(number)\""
    }

    private static func matcher(_ key: String, _ name: String, _ values: [String]) -> String {
        #"{"type":"matcher","definition":{"key":"\#(key)","matcher":"\#(name)","#
            + #""values":[\#(values.joined(separator: ","))]}}"#
    }

    private static func group(_ logic: String, _ conditions: [String]) -> String {
        #"{"type":"group","definition":{"logic":"\#(logic)","conditions":[\#(conditions.joined(separator: ","))]}}"#
    }

    private static let exactPools = [
        ("action", ["launch", "purchase", "search", "login", "share", "view-item", "add-to-cart", "logout"]),
        ("screen", ["home", "detail", "cart", "checkout", "profile", "search-results", "onboarding", "settings"]),
        ("campaign.channel", ["email", "push", "sms", "web", "organic"]),
        ("user.tier", ["bronze", "silver", "gold", "platinum"]),
        ("user.country", ["us", "de", "fr", "gb", "br", "in", "jp", "ca"]),
    ]
    private static let parts = [
        ("path", "/products/"), ("path", "sale"), ("referrer", "google"), ("user.lang", "en"),
        ("campaign.id", "cmp-00"),
    ]
    private static let prefixes = [
        ("device.name", "iPhone"), ("app.version", "5."), ("path", "/checkout"), ("device.os", "18"),
    ]
    private static let suffixes = [("user.lang", "us"), ("path", "sale")]
    private static let counts = [
        ("cart.items", 20), ("lifecycle.launches", 300), ("lifecycle.days", 400), ("user.age", 80),
    ]
}
