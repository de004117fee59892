/// The command line cannot be understood, or its input cannot be used. The message says what to do.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}
