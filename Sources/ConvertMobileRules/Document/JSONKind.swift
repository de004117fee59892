internal import ConvertECMAScript
internal import ConvertConcurrency

/// The kinds of JSON values, in the order in which they are tried where any may stand.
///
/// A decoder does not tell what there is, and an attempt that fails costs an error with its path: as much as hundreds of
/// values. Neighbours are often alike, so the kind of the value before is tried first; a document of neighbours that are
/// not has a bounded number of attempts.
enum JSONKind: CaseIterable {
    case text, null, number, object, array, bool

    /// A value of this kind or, failing that, of another one, which then is the likely one.
    ///
    /// - Parameters:
    ///   - path: where the value stands.
    ///   - attempt: gives the value if it is of the kind asked for.
    mutating func value(
        at path: @autoclosure () -> [any CodingKey], _ attempt: (JSONKind) throws -> JSValue?
    ) throws -> JSValue {
        var nothing: Void = ()
        return try value(from: &nothing, at: { _ in path() }, { _, kind in try attempt(kind) })
    }

    /// As ``value(at:_:)``, from a container that an attempt may move on.
    mutating func value<Container>(
        from container: inout Container, at path: (Container) -> [any CodingKey],
        _ attempt: (inout Container, JSONKind) throws -> JSValue?
    ) throws -> JSValue {
        if let value = try attempt(&container, self) { return value }
        for kind in Self.allCases where kind != self {
            try DecodingAttempts.current?.countOne(at: path(container))
            if let value = try attempt(&container, kind) {
                self = kind
                return value
            }
        }
        // Of all JSON values only a number can be none of these.
        throw DocumentFault(.wrongType, path(container), "this number is beyond what a double can hold.")
    }

    /// The integer or else the fraction, or `nil` if there is no number.
    static func number(_ integer: () throws -> Int, _ double: () throws -> Double) -> JSValue? {
        do {
            return .integer(try integer())
        } catch DecodingError.typeMismatch {
            return nil
        } catch {
            return (try? double()).map { .number($0) }
        }
    }
}

/// Counts the attempts at another kind than the likely one, and at members that are not there, while a document is decoded.
final class DecodingAttempts: Sendable {
    /// Of the document that is being decoded; `nil` for anything else, such as an event, whose length is its app's affair.
    @TaskLocal static var current: DecodingAttempts?

    private let count = Atomic(0)

    func countOne(at path: @autoclosure () -> [any CodingKey]) throws {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue > MobileRulesLimits.kindAttempts else { return }
        throw DocumentFault(
            .tooLarge, path(),
            "the document mixes too many kinds of values, or lacks too many members, to be decoded in time.")
    }
}
