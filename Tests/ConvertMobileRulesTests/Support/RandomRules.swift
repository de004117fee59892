import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules

/// Random conditions and events that meet often enough to tell something.
struct RandomRules {
    var random: SeededGenerator

    private let keys = [
        "a", "b", "o.x", "o.y", "l.0", "l.1.k", "~type", "~source", "~state.s/k", "~state.s/o.k", "~timestampu",
        "~all_json", "~state.bad", "é",
    ]
    private let matchers = ["eq", "eq", "eq", "ne", "ex", "nx", "gt", "ge", "lt", "le", "co", "nc", "sw", "ew", "zz"]
    private let scalars: [JSValue] = [
        "", "a", "A", "ab", "b", "1", "2", "true", "é", "e\u{301}", "\r\n", "1.5", 0, 1, 2, -1, 1.5, 0.5, true, false,
    ]

    mutating func condition(depth: Int = 3) -> JSValue {
        switch random.int(0...9) {
        case 0...4 where depth > 0:
            var members: [JSValue] = []
            for _ in 0..<random.int(0...3) { members.append(condition(depth: depth - 1)) }
            return group(random.pick(["and", "and", "or", "or", "xor"]), members)
        case 5:
            return historical([["n": value()]], random.pick(matchers), .integer(random.int(-1...2)))
        default:
            var values: [JSValue] = []
            for _ in 0..<random.int(0...3) { values.append(random.happens(5) ? .null : value()) }
            return ConvertMobileRulesTests.condition(
                "matcher",
                [
                    "key": .string(random.pick(keys)), "matcher": .string(random.pick(matchers)),
                    "values": .array(values),
                ])
        }
    }

    mutating func rules(_ count: Int) -> [JSValue] {
        (0..<count).map { index in rule(condition(), consequence("\(index)")) }
    }

    mutating func event() -> MobileEvent {
        MobileEvent(type: random.pick(["a", "b"]), source: random.pick(["a", "1"]), data: data())
    }

    mutating func object() -> JSObject {
        var object = JSObject()
        for key in ["k", "o", "n"] where random.happens(60) {
            object[key] = key == "o" ? ["k": value()] : value()
        }
        return object
    }

    private mutating func data() -> JSObject? {
        if random.happens(10) { return nil }
        var data = JSObject()
        for key in ["a", "b", "o", "l", "o.x", "é"] where random.happens(60) {
            switch key {
            case "o": data[key] = ["x": value(), "y": value()]
            case "l": data[key] = [value(), ["k": value()]]
            default: data[key] = random.happens(10) ? .null : value()
            }
        }
        return data
    }

    private mutating func value() -> JSValue { random.pick(scalars) }
}
