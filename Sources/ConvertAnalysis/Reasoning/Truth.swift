/// The truth of a statement, as far as it is known.
enum Truth {
    case no, unknown, yes

    init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

    /// Whether the statement's truth is `wanted`.
    func agrees(with wanted: Bool) -> Truth {
        switch self {
        case .unknown: .unknown
        case .yes: Truth(wanted)
        case .no: Truth(!wanted)
        }
    }
}
