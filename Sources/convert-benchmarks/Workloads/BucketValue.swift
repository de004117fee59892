import ConvertSwiftSDKCore

/// W5: the bucket values of visitors in one experience. The experience's part of the hash is computed once.
enum BucketValue {
    static let workload = Workload(
        id: "W5", summary: "bucket value of a visitor", goal: 15, expected: "5001237502",
        runner: .timed(operations: count) { _ in
            let visitors = (0..<count).map { "v\($0)" }
            let bucketing = BucketingManager()
            let hash = bucketing.hash(experienceID: "100100")
            return {
                var sum = 0
                for visitor in visitors { sum += bucketing.bucketValue(visitorID: visitor, continuing: hash) }
                return "\(sum)"
            }
        })

    private static let count = 1_000_000
}
