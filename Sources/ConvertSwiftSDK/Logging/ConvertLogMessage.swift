/// One message of the SDK, with a code and details for log pipelines.
public struct ConvertLogMessage: Sendable, Hashable {
    /// The level.
    public let level: ConvertLogLevel

    /// A stable name of the event, such as `ledger.failed`. Use it for alerts: texts may change with each version,
    /// codes do not.
    public let code: String

    /// What happened and what to do, on one line. Control characters and invisible characters are escaped.
    public let text: String

    /// Details, such as `status`: `503`. Like texts, they contain nothing about a visitor.
    public let metadata: [String: String]

    /// Creates a message.
    public init(level: ConvertLogLevel, code: String, text: String, metadata: [String: String] = [:]) {
        self.level = level
        self.code = code
        self.text = text
        self.metadata = metadata
    }
}
