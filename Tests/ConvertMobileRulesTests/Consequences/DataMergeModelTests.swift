import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct DataMergeModelTests {
    /// One merge after the other, into data that is as it came in or came out of the merge before.
    @Test func mergesComeToWhatThePlainDefinitionSays() throws {
        for seed in 0..<150 {
            var random = RandomData(random: SeededGenerator(seed: seed))
            let data = random.object(depth: 3, hasWildcards: seed % 3 == 0)
            var expected = data
            var merges: [JSValue] = []
            for number in 0..<3 {
                let payload = random.object(depth: 3, hasWildcards: true)
                let merge = PlainMerge(overwrites: random.random.happens(50))
                expected = merge.merged(expected, payload)
                let type = merge.overwrites ? "mod" : "add"
                merges.append(consequence("\(number)", type, ["eventdata": .object(payload)]))
            }
            let engine = try engine(["condition": always, "consequences": .array(merges)])
            #expect(engine.process(event(data)).event.data == expected, "seed \(seed)")
        }
    }
}

/// The definition of `add` and `mod`, member by member, without limits and shortcuts.
private struct PlainMerge {
    let overwrites: Bool

    func merged(_ event: JSObject, _ payload: JSObject) -> JSObject {
        var result = JSObject()
        var wildcards: [(array: String, value: JSValue)] = []
        for key in event.map(\.key) + payload.map(\.key).filter({ event[$0] == nil }) {
            let ofArray = key.name.hasSuffix("[*]") ? String(key.name.dropLast(3)) : nil
            switch (ofArray, event[key], payload[key]) {
            case (let array?, let value?, nil), (let array?, nil, let value?):
                wildcards.append((array, value))
            case (let array?, let own, let given):
                if let value = merged(own, given) { wildcards.append((array, value)) }
            case (nil, let own, let given):
                if let value = merged(own, given) { result[key] = value }
            }
        }
        for (array, value) in wildcards {
            guard case .object(let payload) = value, case .array(let elements)? = result[array] else { continue }
            result[array] = .array(elements.map { $0.objectValue.map { .object(merged($0, payload)) } ?? $0 })
        }
        return result
    }

    private func merged(_ own: JSValue?, _ given: JSValue?) -> JSValue? {
        switch (own, given) {
        case (.object(let own)?, .object(let given)?): return .object(merged(own, given))
        case (.array(let own)?, .array(let given)?): return .array(own + given)
        case (let own?, .some) where !overwrites: return merged(own, nil)
        case (_, .null?), (.null?, nil), (nil, nil): return nil
        case (_, .object(let given)?): return .object(merged([:], given))
        case (.object(let own)?, nil): return .object(merged(own, [:]))
        default: return given ?? own
        }
    }
}

/// Objects whose members meet often.
private struct RandomData {
    var random: SeededGenerator

    mutating func object(depth: Int, hasWildcards: Bool) -> JSObject {
        var object = JSObject()
        for key in ["a", "b", "c"] where random.happens(55) { object[key] = value(depth: depth, hasWildcards) }
        guard hasWildcards else { return object }
        for key in ["a[*]", "b[*]", "c[*]", "[*]", "a[*][*]"] where random.happens(30) {
            object[key] = value(depth: depth, hasWildcards)
        }
        return object
    }

    private mutating func value(depth: Int, _ hasWildcards: Bool) -> JSValue {
        switch random.int(0...9) {
        case 0...2 where depth > 0: return .object(object(depth: depth - 1, hasWildcards: hasWildcards))
        case 3...5 where depth > 0:
            var elements: [JSValue] = []
            for _ in 0..<random.int(0...3) { elements.append(value(depth: depth - 1, hasWildcards)) }
            return .array(elements)
        case 6: return .null
        default: return random.pick([1, 2, "a", true, 1.5])
        }
    }
}
