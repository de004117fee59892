extension JSValue {
    /// Distinguishes an array or object from an equal array or object. Copies of a value share their storage and have
    /// the same identity, like references to one object in JavaScript.
    ///
    /// Compare identities only while both values live. `nil` for primitives, and for empty arrays and objects, which
    /// all share one storage.
    package var identity: UInt? {
        switch self {
        case .array(let elements): elements.isEmpty ? nil : elements.address
        case .object(let object): object.isEmpty ? nil : object.members.address
        default: nil
        }
    }
}
