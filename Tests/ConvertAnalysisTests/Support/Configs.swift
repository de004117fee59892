import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// Small configs, written as JavaScript objects would be.
enum Configs {
    /// A config with one experience that everybody enters, and `changes` to its members.
    static func config(_ changes: JSObject = JSObject()) -> JSObject {
        var config: JSObject = [
            "account_id": "1", "project": ["id": "2", "environments": ["production": "P", "staging": "S"]],
            "experiences": [.object(experience("checkout", id: "10"))], "audiences": [], "locations": [],
            "segments": [],
            "features": [], "goals": [["id": "90", "key": "order", "name": "Order", "type": "revenue"]],
            "archived_experiences": [],
        ]
        for member in changes { config[member.key] = member.value }
        return config
    }

    static func experience(_ key: String, id: String, _ changes: JSObject = JSObject()) -> JSObject {
        var experience: JSObject = [
            "id": .string(id), "key": .string(key), "name": "E", "type": "a/b_fullstack", "status": "active",
            "version": 10,
            "environment": "", "locations": [], "site_area": .null, "audiences": [], "goals": ["90"],
            "settings": ["matching_options": ["audiences": "any", "locations": "any"]],
            "variations": [
                .object(variation("\(id)1", "a", 50)), .object(variation("\(id)2", "b", 50)),
            ],
        ]
        for member in changes { experience[member.key] = member.value }
        return experience
    }

    static func variation(_ id: String, _ key: String, _ allocation: JSValue, _ changes: JSObject = JSObject())
        -> JSObject
    {
        var variation: JSObject = [
            "id": .string(id), "key": .string(key), "name": "V", "status": "running", "traffic_allocation": allocation,
            "changes": [],
        ]
        for member in changes { variation[member.key] = member.value }
        return variation
    }

    static func leaf(
        _ key: String, _ matchType: String, _ value: JSValue?, negated: Bool = false,
        type: String = "generic_text_key_value"
    ) -> JSValue {
        var leaf: JSObject = [
            "rule_type": .string(type), "key": .string(key),
            "matching": ["match_type": .string(matchType), "negated": .bool(negated)],
        ]
        leaf["value"] = value
        return .object(leaf)
    }

    /// Rules of groups of clauses of leaves.
    static func rules(_ groups: [[[JSValue]]]) -> JSValue {
        [
            "OR": .array(
                groups.map { clauses in ["AND": .array(clauses.map { ["OR_WHEN": .array($0)] })] })
        ]
    }

    /// Rules of one group of clauses of one leaf each.
    static func all(_ leaves: JSValue...) -> JSValue { rules([leaves.map { [$0] }]) }

    static func audience(_ id: String, _ rules: JSValue, _ changes: JSObject = JSObject()) -> JSValue {
        var audience: JSObject = [
            "id": .string(id), "key": .string("audience-\(id)"), "name": "A", "type": "transient", "rules": rules,
        ]
        for member in changes { audience[member.key] = member.value }
        return .object(audience)
    }

    /// A config whose experience attaches an audience with these rules.
    static func audienceConfig(_ rules: JSValue, _ changes: JSObject = JSObject()) -> JSObject {
        var members: JSObject = [
            "audiences": [audience("5", rules)],
            "experiences": [.object(experience("checkout", id: "10", ["audiences": ["5"]]))],
        ]
        for member in changes { members[member.key] = member.value }
        return config(members)
    }

    static func data(_ config: JSObject) -> Data { Data(ECMAScript.jsonText(of: .object(config)).utf8) }
}
