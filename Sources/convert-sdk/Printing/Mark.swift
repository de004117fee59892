/// What stands before a line of an explanation.
enum Mark: String {
    case holds = "+"
    case fails = "-"
    case isOdd = "!"

    init(_ holds: Bool) { self = holds ? .holds : .fails }

    /// The mark as it is printed.
    var text: String {
        switch self {
        case .holds: rawValue.styled(.good)
        case .fails: rawValue.styled(.bad)
        case .isOdd: rawValue.styled(.doubtful)
        }
    }
}
