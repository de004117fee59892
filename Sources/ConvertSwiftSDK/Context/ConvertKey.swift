/// The key of an experience, a feature, a variable or a goal: text, or a case of an enum of the app's own, which only
/// declares the conformance.
///
///     enum Flag: String, ConvertKey {
///         case newSearch = "new-search"
///     }
///
///     if visitor.bool(Flag.newSearch, default: false) { … }
///
/// `convert-sdk keys --swift` prints such enums for a config, so that a key that is misspelled or gone does not
/// compile.
public protocol ConvertKey {
    /// The key, as the config has it.
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
