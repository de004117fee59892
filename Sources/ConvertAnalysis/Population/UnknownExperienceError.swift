internal import ConvertSwiftSDK

/// The config does not contain the requested experience.
public struct UnknownExperienceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key that was given.
    public let key: String
    /// The key that was probably meant; `nil` if no key is similar.
    public let nearest: String?
    /// The problem and the probable key, in one line.
    public let description: String

    init(_ unknown: UnknownName) {
        key = unknown.name
        nearest = unknown.nearest
        description = unknown.description
    }
}
