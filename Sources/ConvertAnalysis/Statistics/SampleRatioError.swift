internal import ConvertSwiftSDK

/// An error for counts that cannot be tested.
public struct SampleRatioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem and its correction, in one sentence.
    public let description: String

    static func unknownVariation(_ name: String, among names: [String]) -> SampleRatioError {
        let remedy = UnknownName("variation", name, among: names).remedy(else: "name variations by key or id.")
        return SampleRatioError(description: "the experience has no variation '\(name)'; \(remedy)")
    }

    static func countedTwice(_ name: String) -> SampleRatioError {
        SampleRatioError(description: "variation '\(name)' has two counts; give it one, by its key or by its id.")
    }

    static func negative(_ name: String) -> SampleRatioError {
        SampleRatioError(description: "the count of '\(name)' is negative; give the number of visitors who got it.")
    }

    static let noVisitors = SampleRatioError(
        description: "all counts are zero: there is nothing to test; give the visitors of each variation.")

    static let noTraffic = SampleRatioError(
        description: "no variation of the experience takes traffic; give the config that decided the counted visitors.")
}
