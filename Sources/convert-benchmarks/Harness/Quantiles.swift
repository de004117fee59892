extension [Double] {
    /// The smallest of these sorted values that at least `share` of them, from 0 to 1, do not exceed.
    func quantile(_ share: Double) -> Double {
        guard let first, let last else { return .nan }
        let rank = (share * Double(count)).rounded(.up)
        return rank < 1 ? first : rank > Double(count) ? last : self[Int(rank) - 1]
    }
}

extension [Sample] {
    /// What a repetition takes on the clock, in the middle of them.
    var median: Double { map(\.value).sorted().quantile(0.5) }

    /// What a repetition takes of the processor if not disturbed: what a quarter of them do not exceed.
    var quietProcessorTime: Double { map(\.processorTime).sorted().quantile(0.25) }

    /// The least that a repetition took on the clock.
    var least: Double { map(\.value).min() ?? .nan }
}
