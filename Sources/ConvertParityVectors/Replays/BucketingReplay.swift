import ConvertECMAScript
import ConvertSwiftSDKCore

/// The hash of a text: MurmurHash3 x86-32 over UTF-8.
struct HashReplay: VectorReplay {
    struct Case: VectorCase {
        let key: String
        let seed: UInt32
        let expect: UInt32

        init(_ cursor: JSONCursor) throws(VectorError) {
            key = try cursor.required("key").asShownText
            seed = try cursor.required("seed").asInteger()
            expect = try cursor.required("expect").asInteger()
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        var hash = MurmurHash3(seed: testCase.seed)
        hash.combine(testCase.key)
        return Mismatch(expected: .integer(Int(testCase.expect)), actual: .integer(Int(hash.finalize())))
    }
}

/// The bucket value of a visitor.
struct BucketValueReplay: VectorReplay {
    struct Case: VectorCase {
        let visitorID: String
        let experienceID: String
        let seed: UInt32?
        let maxTraffic: Double?
        let expect: Int

        init(_ cursor: JSONCursor) throws(VectorError) {
            visitorID = try cursor.required("visitorId").asShownText
            experienceID = try cursor.required("experienceId").asShownText
            seed = try cursor.optional("seed")?.asInteger()
            maxTraffic = try cursor.optional("maxTraffic")?.asNumber
            expect = try cursor.required("expect").asInteger()
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        var options = BucketingOptions(maxTraffic: testCase.maxTraffic ?? 0)
        // The reference uses the seed of a single call unchanged, even 0.
        if let seed = testCase.seed { options.hashSeed = seed }
        let value = BucketingManager(options: options).bucketValue(
            visitorID: testCase.visitorID, experienceID: testCase.experienceID)
        return Mismatch(expected: .integer(testCase.expect), actual: .integer(value))
    }
}

/// The variation that the bucket value alone selects, without rules or stored decisions.
struct BucketReplay: VectorReplay {
    struct Case: VectorCase {
        let experience: JSValue
        let visitorID: String
        let expect: JSValue

        init(_ cursor: JSONCursor) throws(VectorError) {
            experience = try cursor.required("experience").value
            visitorID = try cursor.required("visitorId").asShownText
            expect = try cursor.required("expect").value
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        guard let experience = ProjectConfig.Experience(testCase.experience) else {
            return Mismatch(expected: "an experience with an id", actual: spell(testCase.experience))
        }
        let value = BucketingManager().bucketValue(visitorID: testCase.visitorID, experienceID: experience.id.text)
        let layout = BucketLayout(variations: experience.variations, version: experience.version)
        let variation = layout.variation(for: Double(value)).map { experience.variations[$0] }
        return Mismatch(expected: testCase.expect, actual: variation?.id.map { .string($0.text) } ?? .null)
    }
}
