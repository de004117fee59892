#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Logs the answers that visitors receive, so that they can be inspected and replayed.
///
///     var log = DecisionLog(file: URL(fileURLWithPath: "/var/log/shop/decisions.jsonl"))
///     log.visitorShare = 0.01
///     log.redactedProperties = ["email"]
///     configuration.decisionLog = log
///
/// Each call that decides experiences or features writes one line of JSON: the time, the config's revision (see
/// `ConfigStatus`), the visitor with the properties that the config's rules read, the visitor's stored state before the
/// call, and the answer. `convert-sdk replay` reads the lines. Calls on previews are not logged.
///
/// Lines are written in the background: a decision never waits for the log. Lines that cannot be written are dropped,
/// counted in `ConvertSDK.decisionLogCounts`, and reported in a warning.
public struct DecisionLog: Sendable {
    /// The destination of the lines.
    public let sink: any DecisionLogSink

    /// The share of visitors whose answers are logged, from 0 to 1. A hash of the visitor's id selects them, so every
    /// process selects the same visitors.
    public var visitorShare = 1.0

    /// The names of properties that are omitted, in any case and at any depth: in attributes, location properties,
    /// segments and a call's properties, and in objects and arrays within those. `email` also omits `contact.email`;
    /// `contact.email` omits the member `email` of every `contact`. Feature variables are logged, because they come
    /// from the config.
    ///
    /// A line lists its omitted properties as paths such as `contact.email`. A replay cannot evaluate rules that read
    /// them.
    public var redactedProperties: Set<String> = []

    /// Whether to log properties that no rule of the config reads. A replay with another config needs them if its rules
    /// read other properties.
    public var includesUnreadProperties = false

    /// Returns the text to log in place of a visitor's id, such as a keyed hash; `nil` logs the id itself. With a
    /// pseudonym, the line has the visitor's bucket values. A replay can then decide experiences, but not features.
    public var pseudonym: (@Sendable (String) -> String)?

    /// The maximum number of lines that wait in memory. Values below 1 become 1. Further lines are dropped.
    public var capacity = 10_000

    /// How long the first waiting line waits for others, which are written with it. Negative values become 0.
    public var interval = Duration.seconds(1)

    /// Creates a log that writes to `sink`.
    public init(sink: any DecisionLogSink) { self.sink = sink }

    /// Creates a log that appends its lines to a file; see ``DecisionLogFile``.
    public init(file: URL) { self.init(sink: DecisionLogFile(file)) }
}
