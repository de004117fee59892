import ConvertECMAScript
import ConvertSwiftSDKCore

/// MurmurHash3 x86-32 over UTF-8.
struct HashReplay: VectorReplay {
    struct Case: Decodable {
        let key: String
        let seed: UInt32
        let expect: UInt32
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        var hash = MurmurHash3(seed: testCase.seed)
        hash.combine(testCase.key)
        return Mismatch(expected: .integer(Int(testCase.expect)), actual: .integer(Int(hash.finalize())))
    }
}

/// The bucket value of a visitor.
struct BucketValueReplay: VectorReplay {
    struct Case: Decodable {
        let visitorId: String
        let experienceId: String
        let seed: UInt32?
        let maxTraffic: Double?
        let expect: Int
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        let options = BucketingOptions(
            exactSeed: testCase.seed ?? BucketingOptions.defaultHashSeed, maxTraffic: testCase.maxTraffic ?? 0)
        let value = BucketingManager(options: options).bucketValue(
            visitorID: testCase.visitorId, experienceID: testCase.experienceId)
        return Mismatch(expected: .integer(testCase.expect), actual: .integer(value))
    }
}

/// The variation that an experience gives by hash alone.
struct BucketReplay: VectorReplay {
    struct Case: Decodable {
        let experience: JSValue
        let visitorId: String
        let expect: JSValue
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        guard let experience = Experience(testCase.experience) else {
            return Mismatch(expected: "an experience with an id", actual: spell(testCase.experience))
        }
        let variation = BucketingManager().variation(visitorID: testCase.visitorId, experience: experience)
        return Mismatch(expected: testCase.expect, actual: variation?.id.map { .string($0.text) } ?? .null)
    }
}
