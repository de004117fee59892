internal import ConvertSwiftSDKCore

/// An experience was named that the config does not have.
public struct UnknownExperienceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key that was given.
    public let key: String
    /// The key that was probably meant.
    public let nearest: String?
    /// What is wrong and what was probably meant, in one line.
    public let description: String

    init(_ unknown: UnknownName) {
        key = unknown.name
        nearest = unknown.nearest
        description = unknown.description
    }
}
