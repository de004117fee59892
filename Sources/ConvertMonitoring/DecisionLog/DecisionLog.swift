#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes what visitors are answered, so that it can be looked into and decided again.
///
///     var log = DecisionLog(file: URL(fileURLWithPath: "/var/log/shop/decisions.jsonl"))
///     log.visitorShare = 0.01
///     log.redactedProperties = ["email"]
///     configuration.decisionLog = log
///
/// Every call that decides experiences or features writes one line of JSON: the time, the config's digest, the visitor
/// with the properties that the config's rules read, what was stored of the visitor before, and the answer.
/// `convert-sdk replay` reads the lines. Calls on previews write none.
///
/// Lines are written behind the answers: a decision never waits for the log. What cannot be written is given up,
/// counted in `ConvertSDK.decisionLogCounts`, and said in a warning.
public struct DecisionLog: Sendable {
    /// Where lines go.
    public let sink: any DecisionLogSink

    /// The part of the visitors whose answers are written, 0 to 1. A hash of the id chooses them, so a visitor is
    /// written always or never, by every process.
    public var visitorShare = 1.0

    /// Names of properties that are left out, whatever their case and wherever they stand: among attributes, location
    /// properties, segments and a call's properties, and in objects and arrays that those hold. `email` leaves out
    /// `contact.email` too; `contact.email` leaves out the member `email` of every `contact`. Variables of features are
    /// written, as they come from the config.
    ///
    /// A line names what was left out of it, by paths such as `contact.email`. What is decided by it cannot be told
    /// from the line.
    public var redactedProperties: Set<String> = []

    /// Whether properties are written that no rule of the config reads. A replay with another config, whose rules read
    /// other properties, needs them.
    public var includesUnreadProperties = false

    /// Makes what stands for a visitor's id, such as a keyed hash of it; `nil` writes the id itself. The line then has
    /// the visitor's bucket values, by which experiences can be decided again; features cannot.
    public var pseudonym: (@Sendable (String) -> String)?

    /// The most lines that wait in memory; 1 or more. Beyond them the newest are given up.
    public var capacity = 10_000

    /// How long a line waits for others.
    public var interval = Duration.seconds(1)

    /// A log whose lines go to `sink`.
    public init(sink: any DecisionLogSink) { self.sink = sink }

    /// A log whose lines are appended to a file, as ``DecisionLogFile`` does.
    public init(file: URL) { self.init(sink: DecisionLogFile(file)) }
}
