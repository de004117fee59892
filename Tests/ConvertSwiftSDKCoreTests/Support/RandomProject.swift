import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport

/// Random configs whose parts refer to each other, and visitors that meet them half of the time.
struct RandomProject {
    private static let attributes = ["a", "b", "c"]
    private static let ids: [JSValue] = ["1", "2", "3", "4", 1]

    /// The members of a config.
    static func config(_ random: inout SeededGenerator, numericVariationIDs: Bool = true) -> JSObject {
        let variationIDs = numericVariationIDs ? ids : ids.filter { $0.stringValue != nil }
        return [
            "audiences": .array(random.list(upTo: 4) { audience(&$0) }),
            "locations": .array(random.list(upTo: 3) { place(&$0) }),
            "segments": .array(random.list(upTo: 2) { place(&$0) }),
            "experiences": .array((0..<random.int(1...4)).map { experience(&random, $0, variationIDs) }),
            "archived_experiences": random.happens(10) ? ["experience-0"] : [],
        ]
    }

    /// What is stored about a visitor.
    static func stored(_ random: inout SeededGenerator) -> JSValue {
        var stored = JSObject()
        if random.happens(40) { stored["bucketing"] = ["experience-0": .string(random.pick(["1", "2", "gone"]))] }
        if random.happens(40) { stored["segments"] = ["customSegments": [random.pick(ids)], "b": "1"] }
        if random.happens(30) { stored["locations"] = [.string("key-\(random.int(1...3))")] }
        return .object(stored)
    }

    static func properties(_ random: inout SeededGenerator) -> JSObject {
        var properties = JSObject()
        for name in attributes where random.happens(60) {
            properties[name] = random.pick(["1", "2", "", .null, 1, ["1", "2"]] as [JSValue])
        }
        return properties
    }

    static func options(_ random: inout SeededGenerator) -> DecisionOptions {
        var options = DecisionOptions()
        if random.happens(80) { options.locationProperties = properties(&random) }
        if random.happens(25) { options.visitorProperties = properties(&random) }
        if random.happens(20) { options.forcedVariationID = random.pick(["1", "2", "gone"]) }
        if random.happens(15) { options.environment = "live" }
        options.ignoresLocationProperties = random.happens(15)
        options.updatesVisitorProperties = random.happens(20)
        options.isTrackingEnabled = random.happens(80)
        options.isStorageEnabled = random.happens(80)
        return options
    }

    private static func experience(
        _ random: inout SeededGenerator, _ index: Int, _ variationIDs: [JSValue]
    ) -> JSValue {
        var experience: JSObject = [
            "id": .string("experience-\(index)"), "key": .string("key-\(index)"),
            "version": random.pick([8, 12] as [JSValue]),
            "audiences": .array(random.list(upTo: 2) { $0.pick(ids) }),
            "locations": .array(random.happens(50) ? [] : random.list(upTo: 2) { $0.pick(ids) }),
            "variations": .array(
                random.list(upTo: 3) { random in
                    variation(random.pick(variationIDs), random.pick([0, 20, 50, 100, .null] as [JSValue]))
                }),
        ]
        if random.happens(90) {
            experience["settings"] = ["matching_options": ["audiences": .string(random.pick(["any", "all"]))]]
        }
        if random.happens(20) { experience["site_area"] = randomRules(&random) }
        if random.happens(15) { experience["environment"] = "live" }
        return .object(experience)
    }

    private static func audience(_ random: inout SeededGenerator) -> JSValue {
        var audience: JSObject = [
            "id": random.pick(ids), "type": .string(random.pick(["permanent", "transient"])),
            "rules": randomRules(&random),
        ]
        if random.happens(15) {
            let exclusion = leaf(
                nil, "equals", "key-0", negated: random.happens(50), type: "bucketed_into_experience_key")
            audience["rules"] = ["OR": [block([[exclusion]])]]
        }
        return .object(audience)
    }

    private static func place(_ random: inout SeededGenerator) -> JSValue {
        ["id": random.pick(ids), "key": .string("key-\(random.int(1...3))"), "rules": randomRules(&random)]
    }

    private static func randomRules(_ random: inout SeededGenerator) -> JSValue {
        if random.happens(3) { return ["OR": [.null]] }
        let blocks = random.list(upTo: 2) { random in
            block(random.list(upTo: 2) { random in random.list(upTo: 2) { randomLeaf(&$0) } })
        }
        return ["OR": .array(blocks + [block([[randomLeaf(&random)]])])]
    }

    private static func randomLeaf(_ random: inout SeededGenerator) -> JSValue {
        let operators = ["equals", "contains", "isIn", "less", "startsWith", "exists", "doesNotExist", "eq", "almost"]
        return leaf(
            random.pick(attributes), random.pick(operators), random.pick(["1", "2", "", 1, .null] as [JSValue]),
            negated: random.happens(30))
    }
}
