extension [Double] {
    /// The smallest of these sorted values that is not exceeded by at least the share `share` (0 to 1) of them; NaN if
    /// there are no values.
    func quantile(_ share: Double) -> Double {
        guard let first, let last else { return .nan }
        let rank = (share * Double(count)).rounded(.up)
        return rank < 1 ? first : rank > Double(count) ? last : self[Int(rank) - 1]
    }
}

extension [Sample] {
    /// The median of the values.
    var median: Double { map(\.value).sorted().quantile(0.5) }

    /// The lower quartile of the processor times: the processor time of an undisturbed repetition.
    var quietProcessorTime: Double { map(\.processorTime).sorted().quantile(0.25) }

    /// The smallest value.
    var least: Double { map(\.value).min() ?? .nan }
}
