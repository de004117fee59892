/// An error whose description holds nothing of what was sent or stored, so that it may be logged as it is.
package protocol LoggableError: Error {}

extension DeadlineError: LoggableError {}

extension Error {
    /// What a log may say of the error: its description if that holds nothing of what was sent or stored, else its type.
    package var forLog: String { self is any LoggableError ? "\(self)" : "\(type(of: self))" }
}
