/// Why a document is not a project config. The error names the place and the remedy, and never quotes visitor data.
public struct ConfigError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The bytes are not JSON: they are empty, truncated, not UTF-8, or nested too deeply.
        public static let invalidJSON = Code(name: "invalidJSON")
        /// The document has more bytes, values, names, entities or rule parts than ``ConfigLimits`` allows.
        public static let tooLarge = Code(name: "tooLarge")
        /// The document is JSON, but has the wrong shape.
        public static let notAnObject = Code(name: "notAnObject")
        /// The server answered with an `error` document.
        public static let errorDocument = Code(name: "errorDocument")
        /// A member that every decision needs is missing or empty.
        public static let missingMember = Code(name: "missingMember")
    }

    /// The kind of error.
    public let code: Code

    /// The place in the document, as a JSON path; `$` is the document itself.
    public let path: String

    /// What is wrong and how to fix it, in one sentence.
    public let message: String

    /// The path and the message on one line.
    public var description: String { "\(path): \(message)" }
}
