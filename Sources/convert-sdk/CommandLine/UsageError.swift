/// An error in the command line or its input. The message includes the correction.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}
