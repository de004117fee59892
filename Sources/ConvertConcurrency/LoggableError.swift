/// An error whose description contains no sent or stored data, so that it can be logged.
package protocol LoggableError: Error {}

extension DeadlineError: LoggableError {}

extension Error {
    /// The text to log for the error: its description if the error is loggable, otherwise only its type.
    package var forLog: String { self is any LoggableError ? "\(self)" : "\(type(of: self))" }
}
