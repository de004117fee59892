import Foundation

/// Generates a config with `experiences` experiences, which have three audiences of four leaves each. Python's
/// `json.dumps` writes exactly the same bytes, so that all engines read the same document.
struct GrowthConfig {
    private var random: SplitMix64
    private var experiences: [String] = []
    private var audiences: [String] = []

    static func json(experiences count: Int, seed: UInt64) -> Data {
        var config = GrowthConfig(random: SplitMix64(state: seed))
        for index in 0..<count { config.addExperience(index, carriesFeature: index == count / 2) }
        return Data(config.document.utf8)
    }

    private init(random: SplitMix64) { self.random = random }

    private var document: String {
        #"{"account_id":"10001","project":{"id":"20001","name":"bench","type":"fullstack","settings":{}},"#
            + #""experiences":[\#(experiences.joined(separator: ","))],"#
            + #""audiences":[\#(audiences.joined(separator: ","))],"locations":[],"segments":[],"#
            + #""goals":[{"id":"500100","key":"goal-1","name":"Goal 1","type":"code_trigger","rules":null}],"#
            + #""features":[\#(Self.feature)],"archived_experiences":[]}"#
    }

    private mutating func addExperience(_ index: Int, carriesFeature: Bool) {
        let ids = (0..<3).map { 300_100 + 3 * index + $0 }
        for id in ids { audiences.append(audience(id, alwaysMatches: carriesFeature)) }
        let id = 100_100 + index
        let variations = (0..<2).map { arm in
            let changes =
                carriesFeature
                ? #"{"id":\#(700_000 + index * 2 + arm),"type":"fullStackFeature","#
                    + #""data":{"feature_id":9001,"variables_data":\#(Self.variables)}}"# : ""
            return #"{"id":"\#(id * 10 + arm)","name":"Variation \#(arm)","key":"exp-\#(index)-var-\#(arm)","#
                + #""status":"running","changes":[\#(changes)],"traffic_allocation":50.0}"#
        }
        let matching = index % 2 == 0 || carriesFeature ? "any" : "all"
        experiences.append(
            #"{"id":"\#(id)","name":"Experience \#(index)","type":"a/b_fullstack","status":"active","#
                + #""environment":"production","key":"exp-\#(index)","version":11,"#
                + #""settings":{"matching_options":{"audiences":"\#(matching)","locations":"any"}},"#
                + #""locations":[],"site_area":null,"audiences":["#
                + ids.map { "\"\($0)\"" }.joined(separator: ",")
                + #"],"goals":["500100"],"environments":["production"],"#
                + #""variations":[\#(variations.joined(separator: ","))]}"#)
    }

    private mutating func audience(_ id: Int, alwaysMatches: Bool) -> String {
        // The random leaves are drawn even if they are not used, so that the other audiences do not change.
        var leaves = (0..<4).map { _ in randomLeaf() }
        if alwaysMatches {
            leaves = [
                Self.leaf("age", "less", "10000", kind: "numeric"),
                Self.leaf("geo_country", "matches", "\"zz\"", negated: true), Self.leaf("plan", "matches", "\"zz\""),
                Self.leaf("visits", "less", "-1", kind: "numeric"),
            ]
        }
        let clauses = leaves.map { #"{"OR_WHEN":[\#($0)]}"# }
        return #"{"id":"\#(id)","key":"aud-\#(id)","name":"Audience \#(id)","type":"transient","#
            + #""rules":{"OR":[{"AND":[\#(clauses[0]),\#(clauses[1])]},{"AND":[\#(clauses[2]),\#(clauses[3])]}]}}"#
    }

    private mutating func randomLeaf() -> String {
        let family = random.below(20)
        let negated = random.below(10) == 0
        switch family {
        case ..<5:
            let (key, pool) = random.pick(Self.exactPools)
            return Self.leaf(key, "matches", "\"\(random.pick(pool))\"", negated: negated)
        case ..<9:
            let (key, part) = random.pick(Self.parts)
            return Self.leaf(key, "contains", "\"\(part)\"", negated: negated)
        case ..<11:
            let (key, prefix) = random.pick(Self.prefixes)
            return Self.leaf(key, "startsWith", "\"\(prefix)\"", negated: negated)
        case ..<12:
            let (key, suffix) = random.pick(Self.suffixes)
            return Self.leaf(key, "endsWith", "\"\(suffix)\"", negated: negated)
        case ..<15:
            let (key, pool, count) = random.pick(Self.listPools)
            let first = random.below(pool.count)
            let items = (0..<count).map { pool[(first + $0) % pool.count] }
            return Self.leaf(key, "isIn", "\"\(items.joined(separator: "|"))\"", negated: negated)
        case ..<18:
            let (key, limit) = random.pick(Self.numbers)
            return Self.leaf(
                key, "less", "\(limit / 4 + random.below(limit / 2))", negated: negated, kind: "numeric")
        case ..<19:
            let (key, limit) = random.pick(Self.counts)
            return Self.leaf(
                key, "lessEqual", "\(limit / 4 + random.below(limit / 2))", negated: negated, kind: "numeric")
        default:
            return Self.leaf(random.pick(["logged_in", "is_member"]), "equals", "true", negated: negated, kind: "bool")
        }
    }

    private static func leaf(
        _ key: String, _ matchType: String, _ value: String, negated: Bool = false, kind: String = "text"
    ) -> String {
        #"{"rule_type":"generic_\#(kind)_key_value","matching":{"match_type":"\#(matchType)","negated":\#(negated)},"#
            + #""value":\#(value),"key":"\#(key)"}"#
    }
}
