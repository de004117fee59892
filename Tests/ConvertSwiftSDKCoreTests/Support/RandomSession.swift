import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport

/// Random configs, visitors and calls in which everything occurs that the semantics tell apart, malformed parts
/// included.
struct RandomSession {
    private static let names = ["a", "b", "c", "d", "A"]
    private static let ids: [JSValue] = ["1", "2", "3", "4", 1, 2]
    private static let operators = [
        "equals", "equalsNumber", "matches", "less", "lessEqual", "contains", "isIn", "startsWith", "endsWith",
        "regexMatches", "exists", "not_exists", "doesNotExist", "eq", "ne", "ex", "nx", "gt", "ge", "lt", "le", "co",
        "nc", "sw", "ew", "almost", "Equals",
    ]
    private static let texts: [JSValue] = [
        "1", "2", "10", "", "us", "US", "us|ca", "x|us", "a|", "|", " ", "straße", "STRASSE", "İ", "i", "ΑΣ", "1,000",
        "-.5",
        "true", "null", "undefined", "[object object]", "😀", "～", "plan", "1,2", "^u", "[", ".*s$",
    ]

    let config: JSObject
    let semantics: RuleSemantics
    let keysAreCaseSensitive: Bool
    let visitorID: String
    let attributes: JSObject
    let state: JSObject
    let preview: (experience: String, variation: String)?
    var random: SeededGenerator

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
        semantics = RuleSemantics.allCases[abs(seed) % RuleSemantics.allCases.count]
        keysAreCaseSensitive = random.happens(85)
        visitorID = random.happens(2) ? "" : "visitor-\(seed)"
        config = Self.config(&random)
        attributes = Self.properties(&random, segments: true)
        state = Self.state(&random)
        preview =
            random.happens(15) ? ("experience-\(random.int(0...2))", "\(random.pick(["1", "2", "3", "gone"]))") : nil
    }

    /// Options for the next call.
    mutating func options() -> DecisionOptions {
        var options = DecisionOptions()
        if random.happens(80) { options.locationProperties = Self.properties(&random) }
        if random.happens(25) { options.visitorProperties = Self.properties(&random) }
        if random.happens(20) { options.forcedVariationID = random.pick(["1", "2", "gone", ""]) }
        if random.happens(15) { options.environment = random.pick(["live", "", "staging"]) }
        options.ignoresLocationProperties = random.happens(15)
        options.updatesVisitorProperties = random.happens(20)
        options.isTrackingEnabled = random.happens(85)
        options.isStorageEnabled = random.happens(85)
        return options
    }

    /// What the next call asks for: the member and the text in it.
    mutating func question() -> (member: String, name: String) {
        let number = random.int(0...3)
        return random.happens(25)
            ? ("id", random.happens(10) ? "7" : "experience-\(number)")
            : ("key", random.happens(10) ? random.pick(["5", "undefined", "gone"]) : "key-\(number)")
    }

    /// The key of the feature that the next call asks for, or `nil` if it asks for all.
    mutating func feature() -> String? {
        random.happens(40)
            ? nil : random.happens(10) ? random.pick(["5", "undefined", "gone"]) : "key-\(random.int(1...3))"
    }

    private static func config(_ random: inout SeededGenerator) -> JSObject {
        var config: JSObject = [
            "audiences": .array(random.list(upTo: 5) { audience(&$0) }),
            "locations": .array(random.list(upTo: 3) { place(&$0) }),
            "segments": .array(random.list(upTo: 2) { place(&$0) }),
            // Many enough for a sweep at times.
            "experiences": .array(
                (0..<random.int(random.happens(30) ? 8...12 : 1...4)).map { experience(&random, $0) }),
            "features": .array(random.list(upTo: 3) { feature(&$0) }),
        ]
        if random.happens(15) { config["archived_experiences"] = ["experience-0", 7] }
        return config
    }

    private static func state(_ random: inout SeededGenerator) -> JSObject {
        var state = JSObject()
        if random.happens(40) {
            var bucketing = JSObject()
            for number in 0..<3 where random.happens(40) {
                bucketing["experience-\(number)"] = random.pick(["1", "2", "gone", 1, "", .null, true, 0] as [JSValue])
            }
            state["bucketing"] = .object(bucketing)
        }
        if random.happens(40) {
            state["segments"] = [
                "customSegments": random.pick([["1"], [1, "3"], "12", "", [], 1] as [JSValue]), "b": value(&random),
            ]
        }
        if random.happens(30) {
            state["locations"] = [.string("key-\(random.int(1...3))"), random.pick(["1", "key-1", .null])]
        }
        return state
    }

    private static func properties(_ random: inout SeededGenerator, segments: Bool = false) -> JSObject {
        var properties = JSObject()
        for name in names where random.happens(50) { properties[name] = value(&random) }
        if random.happens(5) { properties["name"] = random.pick(["RuleData", "ruledata"]) }
        if segments && random.happens(20) { properties["country"] = random.pick(["us", "US"]) }
        if segments && random.happens(15) { properties["customSegments"] = [random.pick(ids)] }
        return properties
    }

    /// A value of any type, on either side.
    private static func value(_ random: inout SeededGenerator) -> JSValue {
        switch random.int(1...20) {
        case 1...10: random.pick(texts)
        case 11...14: random.pick([0, 1, 2, 10, -3, 1.5, 1e21] as [JSValue])
        case 15: .bool(random.happens(50))
        case 16: .null
        case 17: .array(random.list(upTo: 3) { $0.pick(texts + [1, .null, ["1"]]) })
        case 18: random.pick([[:], ["plan": 1], ["us": ["x"]]] as [JSValue])
        case 19: random.pick([["toString": 1], [["toString": 1]], [["1", ["toString": .null]]]] as [JSValue])
        default: .array((0..<70).map { .string("t\($0)") } + [random.pick(texts)])
        }
    }

    private static func experience(_ random: inout SeededGenerator, _ number: Int) -> JSValue {
        var experience: JSObject = [
            "id": random.happens(90) ? .string("experience-\(number)") : random.pick([7, "experience-0"]),
            "key": random.happens(85) ? .string("key-\(number)") : random.pick(["key-0", 5, .null]),
            "audiences": .array(random.list(upTo: 2) { $0.happens(6) ? .null : $0.pick(ids) }),
            "locations": .array(random.happens(60) ? [] : random.list(upTo: 2) { $0.pick(ids) }),
            "variations": .array(random.list(upTo: 4) { variation(&$0) }),
        ]
        if random.happens(5) { experience["key"] = nil }
        if random.happens(80) { experience["version"] = random.pick([8, 11.5, 12, "12", "1e2", "x", .null]) }
        if random.happens(90) {
            experience["settings"] = random.pick([
                ["matching_options": ["audiences": "all"]], ["matching_options": ["audiences": "any"]],
                ["matching_options": [:]], ["matching_options": .null], [:],
            ])
        }
        if random.happens(20) { experience["site_area"] = random.happens(10) ? "x" : graph(&random) }
        if random.happens(20) { experience["environment"] = random.pick(["live", "staging", "", 5, .null]) }
        return .object(experience)
    }

    private static func variation(_ random: inout SeededGenerator) -> JSValue {
        var variation = JSObject()
        if random.happens(95) { variation["id"] = random.pick(ids + ["a", "010"]) }
        if random.happens(90) {
            variation["traffic_allocation"] = random.pick([0, 20, 50, 100, "50", "x", "", .null, -10, 33.3])
        }
        if random.happens(40) { variation["changes"] = .array(random.list(upTo: 2) { change(&$0) }) }
        if random.happens(20) { variation["status"] = random.pick(["running", "stopped", "", .null]) }
        return .object(variation)
    }

    private static func change(_ random: inout SeededGenerator) -> JSValue {
        var data: JSObject = ["feature_id": random.pick(ids + [.null, "", "gone"])]
        if random.happens(80) {
            data["variables_data"] = .object(
                JSObject(["x", "y", "z"].map { ($0, random.happens(20) ? "[1, {}]" : value(&random)) }))
        }
        if random.happens(5) { data["variables_data"] = random.pick(["x", .null, ["x"]]) }
        return ["id": 1, "type": random.happens(90) ? "fullStackFeature" : "richStructure", "data": .object(data)]
    }

    private static func feature(_ random: inout SeededGenerator) -> JSValue {
        var feature: JSObject = [
            "id": random.pick(ids),
            "key": random.happens(90) ? .string("key-\(random.int(1...3))") : random.pick([5, .null]),
        ]
        if random.happens(5) { feature["key"] = nil }
        feature["variables"] = .array(
            random.list(upTo: 3) {
                [
                    "key": $0.pick(["x", "y"]),
                    "type": $0.pick(["boolean", "integer", "float", "string", "json", "text"]),
                ]
            })
        return .object(feature)
    }

    private static func audience(_ random: inout SeededGenerator) -> JSValue {
        var audience: JSObject = ["id": random.pick(ids), "key": .string("key-\(random.int(1...3))")]
        if random.happens(80) { audience["type"] = .string(random.pick(["permanent", "transient"])) }
        if random.happens(95) { audience["rules"] = graph(&random) }
        if random.happens(15) {
            let exclusion = leaf(
                nil, "equals", random.pick(["key-0", "key-1", "gone", 5]), negated: random.happens(50),
                type: "bucketed_into_experience_key")
            audience["rules"] = ["OR": [.null, block([[randomLeaf(&random), exclusion]])]]
        }
        return .object(audience)
    }

    private static func place(_ random: inout SeededGenerator) -> JSValue {
        var place: JSObject = ["id": random.pick(ids)]
        if random.happens(90) {
            place["key"] = random.happens(90) ? .string("key-\(random.int(1...3))") : random.pick([5, .null])
        }
        if random.happens(90) { place["rules"] = graph(&random) }
        return .object(place)
    }

    private static func graph(_ random: inout SeededGenerator) -> JSValue {
        let blocks = random.list(upTo: 3) { random -> JSValue in
            if random.happens(4) { return random.pick([.null, "x", [:]]) }
            let clauses = random.list(upTo: 3) { random -> JSValue in
                if random.happens(4) { return random.pick([.null, 1, [:]]) }
                return ["OR_WHEN": .array(random.list(upTo: 3) { randomLeaf(&$0) })]
            }
            return ["AND": .array(clauses)]
        }
        return ["OR": .array(blocks)]
    }

    private static func randomLeaf(_ random: inout SeededGenerator) -> JSValue {
        var leaf: JSObject = [
            "key": .string(random.pick(names)),
            "rule_type": random.happens(90)
                ? random.pick(["generic_text_key_value", "country"]) : random.pick(["weather_condition", "a", .null]),
            "matching": ["match_type": .string(random.pick(operators)), "negated": .bool(random.happens(35))],
            "value": value(&random),
        ]
        switch random.int(1...60) {
        case 1: leaf["value"] = nil
        case 2: leaf["key"] = nil
        case 3: leaf["key"] = random.pick([5, .null, ["a"]])
        case 4: leaf["matching"] = random.pick([nil, .null, "equals", [:], ["match_type": "equals"]])
        case 5: leaf["matching"] = ["match_type": 1, "negated": true]
        case 6: leaf["matching"] = ["match_type": "equals", "negated": "true"]
        case 7: return random.pick([.null, "x", 1])
        default: break
        }
        return .object(leaf)
    }
}
