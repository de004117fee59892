/// What came of evaluating rules.
///
/// ``Attributes/matchCount(of:)`` counts on the first two being 0 and 1.
package enum RuleVerdict: UInt8, Sendable, Hashable {
    /// They do not match.
    case notMatched = 0
    /// They match.
    case matched = 1
    /// Rule data said that it needs more data to answer (`convert.com_need_more_data` in the JavaScript SDK).
    case needMoreData
    /// Rule data said that there is no data to answer with (`convert.com_no_data_found` in the JavaScript SDK).
    case noDataFound
    /// A `null` stands where the rules need an object; the reference throws there. It counts as no match.
    case malformed

    /// Whether the rules match.
    package var isMatch: Bool { self == .matched }

    init(_ matches: Bool) { self = matches ? .matched : .notMatched }
}
