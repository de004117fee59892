/// The key of an experience, a feature, a variable or a goal: a string, or a case of the app's own enum, which only
/// needs to declare the conformance.
///
///     enum Flag: String, ConvertKey {
///         case newSearch = "new-search"
///     }
///
///     if visitor.bool(Flag.newSearch, default: false) { … }
///
/// `convert-sdk keys --swift` prints such enums for a config, so that a misspelled or removed key does not compile.
public protocol ConvertKey {
    /// The key in the config.
    var convertKey: String { get }
}

extension String: ConvertKey {
    /// The text itself.
    @inlinable public var convertKey: String { self }
}

extension ConvertKey where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    @inlinable public var convertKey: String { rawValue }
}
