import ConvertSwiftSDKCore
import Testing

struct BucketValueTests {
    @Test func valuesLieInTheirRangeAndReachBothHalvesOfIt() {
        for maxTraffic in [1.0, 2, 100, 10_000, 4_294_967_296, 1e12] {
            let manager = BucketingManager(options: BucketingOptions(maxTraffic: maxTraffic))
            let values = (0..<2_000).map { manager.bucketValue(visitorID: "visitor-\($0)", experienceID: "e") }
            #expect(values.allSatisfy { (0..<Int(maxTraffic)).contains($0) }, "below \(maxTraffic)")
            #expect(maxTraffic == 1 || values.contains { Double($0) >= maxTraffic / 2 }, "below \(maxTraffic)")
        }
    }

    @Test func theGreatestHashOfAllGivesTheLastValue() {
        var hash = BucketingManager().hash(experienceID: "id-e")
        hash.combine("aablbieo")
        #expect(hash.finalize() == .max)
        #expect(BucketingManager().bucketValue(visitorID: "aablbieo", experienceID: "id-e") == 9_999)
    }

    @Test func theValueIsAFunctionOfBothIDsJoined() {
        let manager = BucketingManager()
        #expect(
            manager.bucketValue(visitorID: "bc", experienceID: "a")
                == manager.bucketValue(visitorID: "c", experienceID: "ab"))
    }

    @Test func leavingTheExperienceOutGivesOneValueInAll() {
        let manager = BucketingManager(options: BucketingOptions(excludesExperienceID: true))
        #expect(
            manager.bucketValue(visitorID: "v", experienceID: "a")
                == manager.bucketValue(visitorID: "v", experienceID: "b"))
    }

    @Test func anotherSeedGivesOtherValues() {
        let values = [1, 2].map {
            BucketingManager(options: BucketingOptions(hashSeed: $0)).bucketValue(visitorID: "v", experienceID: "e")
        }
        #expect(values[0] != values[1])
    }

    @Test func zeroMeansTheDefaults() {
        #expect(BucketingOptions(hashSeed: 0, maxTraffic: 0) == BucketingOptions(hashSeed: 9_999, maxTraffic: 10_000))
    }

    @Test(arguments: [0, -0.0, -1, -.infinity, .infinity, .nan] as [Double])
    func aRangeThatIsNotPositiveAndFiniteMeansTheDefault(maxTraffic: Double) {
        #expect(BucketingOptions(maxTraffic: maxTraffic) == BucketingOptions())
    }

    @Test(arguments: [.leastNonzeroMagnitude, 0.5, .greatestFiniteMagnitude] as [Double])
    func everyOtherRangeIsTakenAsItIs(maxTraffic: Double) {
        let manager = BucketingManager(options: BucketingOptions(maxTraffic: maxTraffic))
        #expect(manager.options.maxTraffic == maxTraffic)
        #expect(manager.bucketValue(visitorID: "v", experienceID: "e") >= 0)
    }

    @Test func theSeedOfASingleCallMayBeZero() {
        var options = BucketingOptions()
        options.hashSeed = 0
        #expect(options.hashSeed == 0)
    }
}
