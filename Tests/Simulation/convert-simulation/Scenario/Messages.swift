import ConvertECMAScript
import ConvertMobileRules
import ConvertSQLiteStores
import Foundation

/// The mobile rules of a process, whose history is a file: each message is shown once, and each event is counted.
final class Messages: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.

    private let history: SQLiteEventHistory
    private let engine: MobileRulesEngine
    private let known: MessageHistory
    /// Events that this process counted, in the file or waiting for it; `nil` until the file could be read.
    private var counted: Int?
    /// When it counted the last one, in milliseconds. Another one at the same time would not count.
    private var lastTime: Int64 = -1
    /// Whether an event is being processed. What two threads count at once cannot be told apart.
    private var isBusy = false

    /// - Throws: an error if the file cannot be opened.
    init(in folder: String, _ known: MessageHistory) throws {
        self.known = known
        history = try SQLiteEventHistory(
            file: URL(fileURLWithPath: "\(folder)/history.sqlite"),
            report: { [known] diagnostic in
                if case .corruptDatabaseSetAside = diagnostic { known.forget() }
            })
        var configuration = MobileRulesConfiguration()
        configuration.history = history
        engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: Data(Self.rules.utf8)))
    }

    /// Something happens for which a message is shown, if it was not shown before.
    ///
    /// - Parameter isAlive: whether the process still exists.
    func show(_ message: Int, isAlive: () -> Bool) {
        let time = World.current.time / 1_000_000
        if isBusy || time <= lastTime { return }
        isBusy = true
        defer { isBusy = false }
        guard let before = count() else { return }
        known.find(before, expected: counted)
        (counted, lastTime) = (before, time)
        let result = engine.process(MobileEvent(type: "open", source: "app", data: ["message": .integer(message)]))
        // The step of the disk may have been the process's last.
        guard isAlive() else { return }
        if result.recorded.contains(where: { $0["event"] != nil }) { counted = before + 1 }
        known.store((counted ?? 0) - history.waitingRecordCount)
        let isShown = result.triggered.contains { $0.consequence.id == "show-\(message)" }
        World.current.say("message \(message) is \(isShown ? "" : "not ")shown")
        if isShown { known.show(message) }
    }

    /// The number of events; `nil` if the file cannot be read.
    private func count() -> Int? { try? history.occurrences(of: Self.event, in: 0...Int64.max).count }

    static let names = 0..<3
    private static let event = EventFingerprint(of: ["event": "open"])

    private static let rules: String = {
        let schema = "https://ns.adobe.com/personalization/eventHistoryOperation"
        func note(_ id: String, _ operation: String, _ content: String) -> String {
            """
            {"id": "\(id)", "type": "schema", "detail": {"id": "\(id)", "schema": "\(schema)",
                "data": {"operation": "\(operation)", "content": \(content)}}}
            """
        }
        let shown = names.map { number in
            """
            {"condition": {"type": "matcher", "definition": {"key": "message", "matcher": "eq", "values": [\(number)]}},
             "consequences": [\(note("show-\(number)", "insertIfNotExists", #"{"message": \#(number + 1)}"#))]}
            """
        }
        let counted = """
            {"condition": {"type": "matcher", "definition": {"key": "message", "matcher": "ex"}},
             "consequences": [\(note("count", "insert", #"{"event": "open"}"#))]}
            """
        return "{\"version\": 1, \"rules\": [\((shown + [counted]).joined(separator: ","))]}"
    }()
}
