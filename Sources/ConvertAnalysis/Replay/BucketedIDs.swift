internal import ConvertConcurrency
internal import ConvertSwiftSDKCore

/// Ids of visitors with given bucket values, which stand in for unknown ids.
final class BucketedIDs: Sendable {
    private struct Key: Hashable {
        let experienceID: String
        let options: BucketingOptions
    }

    private struct Table {
        /// The numbers in the ids, by bucket value.
        var numbers: [Int: Int] = [:]
        var next = 0
    }

    /// The maximum number of tried ids for an experience. After some 100,000, each of 10,000 bucket values has an id.
    private static let limit = 1_000_000
    /// The maximum number of bucket values for which ids are searched.
    private static let mostValues = 100_000.0
    /// The maximum number of ids in all tables.
    private static let mostIDs = 5_000_000

    private let tables = Mutex<(tables: [Key: Table], count: Int)>(([:], 0))

    /// The id of a visitor with the bucket value `value` in the experience; `nil` if no id was found.
    func id(with value: Int, in experienceID: String, _ options: BucketingOptions) -> String? {
        guard value >= 0, Double(value) < options.maxTraffic, options.maxTraffic <= Self.mostValues else { return nil }
        let bucketing = BucketingManager(options: options)
        let hash = bucketing.hash(experienceID: experienceID)
        return tables.withLock { state in
            let key = Key(experienceID: experienceID, options: options)
            if state.count >= Self.mostIDs, state.tables[key] == nil { state = ([:], 0) }
            var table = state.tables.removeValue(forKey: key) ?? Table()
            defer { state.tables[key] = table }
            while table.numbers[value] == nil {
                guard table.next < Self.limit else { return nil }
                let found = bucketing.bucketValue(visitorID: String(table.next), continuing: hash)
                if table.numbers.updateValue(table.numbers[found] ?? table.next, forKey: found) == nil {
                    state.count += 1
                }
                table.next += 1
            }
            return table.numbers[value].map { String($0) }
        }
    }
}
