/// A call for one experience or one feature of a context.
public struct EvaluationCall: Sendable {
    /// The experience or feature that a call asks for.
    public enum Subject: Sendable, Hashable {
        /// The experience with this key.
        case experience(key: String)
        /// The experience with this id.
        case experienceID(String)
        /// The feature with this key.
        case feature(key: String)
    }

    /// The experience or feature that the call asks for.
    public let subject: Subject

    /// The visitor's id.
    public let visitorID: String

    package init(subject: Subject, visitorID: String) {
        self.subject = subject
        self.visitorID = visitorID
    }

    /// The key or id that the call asks for.
    public var key: String {
        switch subject {
        case .experience(let key), .experienceID(let key), .feature(let key): key
        }
    }
}
