/// The search of a historical condition.
struct HistoricalSearch {
    let condition: Condition.Historical
    /// The end of a window without an end of its own, in milliseconds since 1970.
    let now: Int64

    /// Returns the count or index that the condition compares. Throws if a look-up fails; the caller then compares -1.
    func result(_ lookups: inout HistoryLookups) throws -> Int {
        let from = condition.from ?? 0
        let to = condition.to ?? now
        switch condition.searchType {
        case .any:
            var sum = 0
            for fingerprint in condition.fingerprints {
                sum = sum.addingReportingOverflow(try lookups.find(fingerprint, from, to).count).partialValue
            }
            return sum
        case .ordered:
            if condition.fingerprints.isEmpty { return 0 }
            var start = from
            for fingerprint in condition.fingerprints {
                guard let times = try lookups.find(fingerprint, start, to).times else { return 0 }
                start = times.lowerBound
            }
            return 1
        case .mostRecent:
            var newest: (index: Int, time: Int64)?
            for (index, fingerprint) in condition.fingerprints.enumerated() {
                guard let time = try lookups.find(fingerprint, from, to).times?.upperBound else { continue }
                if newest.map({ time > $0.time }) ?? true { newest = (index, time) }
            }
            return newest?.index ?? -1
        }
    }

}
