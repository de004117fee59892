/// Why a document is no project config. It names the place and what to do, and never quotes visitor data.
public struct ConfigError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The bytes are not JSON: empty, truncated, not UTF-8, or nested too deep.
        public static let invalidJSON = Code(name: "invalidJSON")
        /// The document has more values or bytes than any plausible config.
        public static let tooLarge = Code(name: "tooLarge")
        /// The document is JSON of another shape.
        public static let notAnObject = Code(name: "notAnObject")
        /// The server answered with an `error` document.
        public static let errorDocument = Code(name: "errorDocument")
        /// A member without which no decision can be made is missing or empty.
        public static let missingMember = Code(name: "missingMember")
    }

    /// What is wrong.
    public let code: Code

    /// Where, as a JSON path; `$` is the document.
    public let path: String

    /// What is wrong and what to do, in a sentence.
    public let message: String

    /// Path and message in one line.
    public var description: String { "\(path): \(message)" }
}
