internal import ConvertECMAScript

extension JSValue {
    /// The text, or `null` without one.
    init(_ text: String?) { self = text.map { .string($0) } ?? .null }
}
