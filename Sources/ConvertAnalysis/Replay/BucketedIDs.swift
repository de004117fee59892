internal import ConvertConcurrency
internal import ConvertSwiftSDKCore

/// Ids of visitors that have given bucket values, for visitors whose ids are not known.
final class BucketedIDs: Sendable {
    private struct Key: Hashable {
        let experienceID: String
        let options: BucketingOptions
    }

    private struct Table {
        /// Numbers of ids by bucket value.
        var numbers: [Int: Int] = [:]
        var next = 0
    }

    /// How many ids are tried for an experience: 10,000 values have one each after some 100,000.
    private static let limit = 1_000_000
    /// Of how many bucket values at most an id is looked for.
    private static let mostValues = 100_000.0
    /// How many tables are kept.
    private static let mostTables = 500

    private let tables = Mutex<[Key: Table]>([:])

    /// The id of a visitor with `value` in the experience; `nil` if none was found.
    func id(with value: Int, in experienceID: String, _ options: BucketingOptions) -> String? {
        guard value >= 0, Double(value) < options.maxTraffic, options.maxTraffic <= Self.mostValues else { return nil }
        let bucketing = BucketingManager(options: options)
        let hash = bucketing.hash(experienceID: experienceID)
        return tables.withLock { tables in
            let key = Key(experienceID: experienceID, options: options)
            if tables.count >= Self.mostTables, tables[key] == nil { tables = [:] }
            while tables[key, default: Table()].numbers[value] == nil {
                let number = tables[key, default: Table()].next
                guard number < Self.limit else { return nil }
                tables[key, default: Table()].next += 1
                let found = bucketing.bucketValue(visitorID: String(number), continuing: hash)
                if tables[key]?.numbers[found] == nil { tables[key]?.numbers[found] = number }
            }
            return tables[key]?.numbers[value].map { String($0) }
        }
    }
}
