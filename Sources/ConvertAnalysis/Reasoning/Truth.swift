/// What is known about a statement.
enum Truth {
    case no, unknown, yes

    init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

    /// Whether the statement comes out as `wanted`.
    func agrees(with wanted: Bool) -> Truth {
        switch self {
        case .unknown: .unknown
        case .yes: Truth(wanted)
        case .no: Truth(!wanted)
        }
    }
}
