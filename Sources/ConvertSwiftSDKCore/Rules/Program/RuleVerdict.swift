/// The result of evaluating rules.
///
/// ``Attributes/matchCount(of:)`` relies on the raw values 0 and 1 of the first two cases.
package enum RuleVerdict: UInt8, Sendable, Hashable {
    case notMatched = 0
    case matched = 1
    /// Rule data needs more data to answer (`convert.com_need_more_data` in the JavaScript SDK).
    case needMoreData
    /// Rule data has no data to answer with (`convert.com_no_data_found` in the JavaScript SDK).
    case noDataFound
    /// The rules have a `null` instead of an object, on which the reference throws. It counts as no match.
    case malformed

    package var isMatch: Bool { self == .matched }

    init(_ matches: Bool) { self = matches ? .matched : .notMatched }
}
