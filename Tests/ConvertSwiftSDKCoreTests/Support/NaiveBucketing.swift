import ConvertECMAScript

/// Hash and layouts, as the reference's documents word them.
enum NaiveBucketing {
    /// The bucket value of a text, the experience's id followed by the visitor's.
    static func value(of text: String) -> Int { Int(Double(murmur(Array(text.utf8))) / 4_294_967_296 * 10_000) }

    private static func murmur(_ bytes: [UInt8]) -> UInt32 {
        var hash: UInt32 = 9_999
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let block = bytes[start..<min(start + 4, bytes.count)]
            let word = block.reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            hash ^= rotate(word &* 0xcc9e_2d51, by: 15) &* 0x1b87_3593
            if block.count == 4 { hash = rotate(hash, by: 13) &* 5 &+ 0xe654_6b64 }
        }
        hash ^= UInt32(bytes.count)
        hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
        hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
        return hash ^ hash >> 16
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }

    /// The id of the arm that owns `value`.
    static func arm(for value: Int, version: JSValue?, _ variations: [JSObject]) -> JSValue? {
        let arms = variations.compactMap { variation in
            variation["id"].flatMap { $0.isTruthy ? ($0, variation) : nil }
        }
        let isAnchored = (version.map { ECMAScript.toNumber($0) } ?? .nan) > 11
        return isAnchored ? anchored(Double(value), arms) : packed(Double(value), arms)
    }

    private static func allocation(_ variation: JSObject) -> (weight: Double, isActive: Bool) {
        let number = ECMAScript.toNumber(variation["traffic_allocation"])
        let status = variation["status"]
        let isRunning = status.map { !$0.isTruthy || $0 == "running" } ?? true
        let weight = variation["traffic_allocation"] == nil ? 100 : number
        return (weight, isRunning && !(number <= 0))
    }

    /// An object from id to weight, whose edges are added up.
    private static func packed(_ value: Double, _ arms: [(id: JSValue, variation: JSObject)]) -> JSValue? {
        var weights: [(id: String, weight: Double)] = []
        for arm in arms {
            let (weight, isActive) = allocation(arm.variation)
            guard isActive else { continue }
            let id = ECMAScript.toString(arm.id)
            if let place = weights.firstIndex(where: { $0.id == id }) {
                weights[place].weight = weight
            } else {
                weights.append((id, weight))
            }
        }
        var edge = 0.0
        for place in ECMAScript.ownPropertyKeyOrder(weights.map(\.id)) {
            edge += weights[place].weight * 100
            if value < edge { return .string(weights[place].id) }
        }
        return nil
    }

    private static func anchored(_ value: Double, _ arms: [(id: JSValue, variation: JSObject)]) -> JSValue? {
        let weights = arms.map { arm in
            let (weight, isActive) = allocation(arm.variation)
            return (weight: weight.isNaN ? 100 : weight, isActive: isActive)
        }
        let total = weights.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return nil }
        var before = 0.0
        for (place, arm) in weights.enumerated() {
            let anchor = before / total * 10_000
            if arm.isActive, value >= anchor, value < anchor + arm.weight * 100 { return arms[place].id }
            before += arm.weight
        }
        return nil
    }
}
