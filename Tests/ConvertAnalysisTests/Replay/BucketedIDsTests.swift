@testable import ConvertAnalysis
import ConvertSwiftSDKCore
import Testing

struct BucketedIDsTests {
    @Test func aBucketValueThatNoVisitorHasNeedsNoTrials() {
        let ids = BucketedIDs()
        for number in 0..<3_000 {
            #expect(ids.id(with: 10_000, in: "e\(number)", BucketingOptions()) == nil)
            #expect(ids.id(with: -1, in: "e\(number)", BucketingOptions()) == nil)
            #expect(ids.id(with: 1, in: "e\(number)", BucketingOptions(maxTraffic: 1e9)) == nil)
        }
        let id = ids.id(with: 9_999, in: "10", BucketingOptions())
        #expect(
            id.map { BucketingManager(options: BucketingOptions()).bucketValue(visitorID: $0, experienceID: "10") }
                == 9_999)
    }
}
