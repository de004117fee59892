import ConvertConcurrency

extension Error {
    /// What may be logged of an error of a request: our own errors' words, of any other only its type, since what it says
    /// may hold parts of what was sent.
    package var forLog: String {
        switch self {
        case let error as TransportError: "\(error)"
        case let error as DeadlineError: "\(error)"
        default: "\(type(of: self))"
        }
    }
}
