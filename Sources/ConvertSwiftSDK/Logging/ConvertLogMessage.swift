/// One message of the SDK, with what a log pipeline can look for.
public struct ConvertLogMessage: Sendable, Hashable {
    /// How much it matters.
    public let level: ConvertLogLevel

    /// A stable name of what happened, such as `ledger.failed`. Alerts look for it: texts may change with each version,
    /// codes do not.
    public let code: String

    /// What happened and what to do, on one line. Control characters and characters that are not shown are escaped.
    public let text: String

    /// Details, such as `status`: `503`. They hold nothing about a visitor, as texts do not.
    public let metadata: [String: String]

    /// A message.
    public init(level: ConvertLogLevel, code: String, text: String, metadata: [String: String] = [:]) {
        self.level = level
        self.code = code
        self.text = text
        self.metadata = metadata
    }
}
