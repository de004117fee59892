/// One question that a context is asked.
public struct EvaluationCall: Sendable {
    /// What is asked for.
    public enum Subject: Sendable, Hashable {
        /// The experience with the key.
        case experience(key: String)
        /// The experience with the id.
        case experienceID(String)
        /// The feature with the key.
        case feature(key: String)
    }

    /// What is asked for.
    public let subject: Subject

    /// The visitor's id.
    public let visitorID: String

    package init(subject: Subject, visitorID: String) {
        self.subject = subject
        self.visitorID = visitorID
    }

    /// The key, or id, that was asked for.
    public var key: String {
        switch subject {
        case .experience(let key), .experienceID(let key), .feature(let key): key
        }
    }
}
