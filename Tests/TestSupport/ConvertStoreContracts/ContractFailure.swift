/// A store broke what all stores promise.
package struct ContractFailure: Error, CustomStringConvertible {
    package let description: String
}

/// - Throws: `ContractFailure` unless both are equal.
func expect<Value: Equatable>(_ found: Value, equals expected: Value, _ what: String = "") throws {
    if found != expected { throw ContractFailure(description: "\(what): expected \(expected), found \(found)") }
}
