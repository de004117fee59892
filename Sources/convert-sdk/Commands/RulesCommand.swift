import ConvertECMAScript
import ConvertMobileRules
import ConvertParityVectors
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

/// `convert-sdk rules`.
struct RulesCommand {
    private let rules: String
    private let event: MobileEvent
    private let states: [String: JSObject]
    private let history: InMemoryEventHistory
    private let semantics: MobileRulesSemantics
    private let explains: Bool
    private let printsJSON: Bool

    init(_ arguments: [String]) throws {
        let arguments = try Arguments(
            arguments, valued: ["--event", "--state", "--history", "--semantics"], flags: ["--explain", "--json"],
            command: "rules")
        guard let rules = arguments.operands.first, arguments.operands.count == 1 else {
            throw UsageError("give one rules.json, archive or URL; see 'convert-sdk help rules'")
        }
        self.rules = rules
        event = try Self.event(try arguments.required("--event", "the event, as JSON or a file of it"))
        states = try arguments.single("--state").map { try Self.read($0, of: "--state", Self.states) } ?? [:]
        history = InMemoryEventHistory()
        if let file = try arguments.single("--history") {
            for record in try Self.read(file, of: "--history", Occurrence.list) {
                history.record(EventFingerprint(of: record.event, mask: record.mask), at: record.at)
            }
        }
        semantics = try Self.semantics(arguments)
        explains = arguments.has("--explain")
        printsJSON = arguments.has("--json")
    }

    func run() async throws -> ExitCode {
        var configuration = MobileRulesConfiguration()
        configuration.semantics = semantics
        configuration.sharedStates = FixedSharedStates(states)
        configuration.history = history
        configuration.observer = WarningPrinter()
        let engine = MobileRulesEngine(configuration)
        do {
            try await RulesLoader(engine: engine, source: source, transport: SystemTransport()).start()
        } catch {
            throw UsageError("'\(rules)' gives no rules: \(error)")
        }
        let explanation = explains ? engine.explain(event) : nil
        let results = engine.processAll(event)
        if printsJSON {
            try Console.printJSON(Report(results: results.map(Outcome.init), explanation: explanation))
        } else {
            printForPeople(results)
            if let explanation {
                var printer = RulesExplanationPrinter()
                printer.print(explanation)
            }
        }
        return .done
    }

    private var source: RulesSource {
        let isRemote = ["https://", "http://"].contains { rules.lowercased().hasPrefix($0) }
        if isRemote, let url = URL(string: rules) { return .url(url) }
        return .file(URL(fileURLWithPath: rules))
    }

    private func printForPeople(_ results: [MobileRulesResult]) {
        for result in results {
            let count = result.matchedRules.count
            print(
                "\(result.event.type), \(result.event.source): \(count) \(count == 1 ? "rule matches" : "rules match")")
            if result.consequences.isEmpty { continue }
            Console.printTable(
                [["ID", "TYPE", "DETAIL"]]
                    + result.consequences.map { [$0.id, $0.type, ECMAScript.jsonText(of: .object($0.detail))] })
            if result.event.data != event.data, let data = result.event.data {
                print("data: \(ECMAScript.jsonText(of: .object(data)))")
            }
        }
    }

    private func print(_ line: String) { Swift.print(line.onOneLine) }
}

extension RulesCommand {
    private static func event(_ text: String) throws -> MobileEvent {
        try read(text, of: "--event") { try? MobileEvent($0) }
    }

    /// The data of each shared state; `nil` if one is no object.
    private static func states(_ value: JSValue) -> [String: JSObject]? {
        guard let members = value.objectValue else { return nil }
        var states: [String: JSObject] = [:]
        for member in members {
            guard let data = member.value.objectValue else { return nil }
            states[member.key.name] = data
        }
        return states
    }

    private static func semantics(_ arguments: Arguments) throws -> MobileRulesSemantics {
        guard let name = try arguments.single("--semantics") else { return .standard }
        guard let semantics = MobileRulesSemantics(rawValue: name) else {
            let names = MobileRulesSemantics.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unknown semantics '\(name)'; choose one of \(names)")
        }
        return semantics
    }

    /// What `make` makes of what an option gives, as JSON or as the path of a file with JSON.
    private static func read<Value>(_ text: String, of option: String, _ make: (JSValue) -> Value?) throws -> Value {
        let isJSON = text.first { !$0.isWhitespace }.map { $0 == "{" || $0 == "[" } ?? false
        guard let data = isJSON ? Data(text.utf8) : try? Data(contentsOf: URL(fileURLWithPath: text)) else {
            throw UsageError("\(option): '\(text)' is neither JSON nor a file that can be read")
        }
        guard let value = (try? JSValue(json: data)).flatMap(make) else {
            throw UsageError("\(option) is not what is expected there; see 'convert-sdk help rules'")
        }
        return value
    }
}

/// One event that happened before.
private struct Occurrence {
    let event: JSObject
    let at: Int64
    let mask: [String]?

    /// `nil` if the value is none.
    private init?(_ value: JSValue) {
        guard let members = value.objectValue, let event = members["event"]?.objectValue,
            case .integer(let at)? = members["at"]
        else { return nil }
        let mask = members["mask"].flatMap { $0.isNull ? nil : $0 }
        let names = mask?.arrayValue?.compactMap(\.stringValue)
        if let mask, names == nil || names?.count != mask.arrayValue?.count { return nil }
        (self.event, self.at, self.mask) = (event, Int64(at), names)
    }

    /// The events of a list; `nil` if there is none or one of its elements is no event.
    static func list(_ value: JSValue) -> [Occurrence]? {
        guard let elements = value.arrayValue else { return nil }
        let occurrences = elements.compactMap(Occurrence.init)
        return occurrences.count == elements.count ? occurrences : nil
    }
}

private struct WarningPrinter: MobileRulesObserver {
    func didWarn(_ warning: MobileRulesWarning) { Console.complain("warning: \(warning)") }
}

private struct Report: Encodable {
    let results: [Outcome]
    let explanation: RulesExplanation?
}

/// What became of one event.
private struct Outcome: Encodable {
    struct Event: Encodable {
        let type: String
        let source: String
        let data: JSObject?

        init(_ event: MobileEvent) {
            type = event.type
            source = event.source
            data = event.data
        }
    }

    struct Listed: Encodable {
        let id: String
        let type: String
        let detail: JSObject
        let isHandedOn: Bool
    }

    let event: Event
    let matchedRules: [Int]
    let consequences: [Listed]
    let dispatched: [Event]
    let recorded: [JSObject]

    init(_ result: MobileRulesResult) {
        event = Event(result.event)
        matchedRules = result.matchedRules
        var handedOn = result.triggered.map(\.consequence)[...]
        consequences = result.consequences.map { consequence in
            // What is handed on comes in the order of the consequences.
            let isHandedOn = handedOn.first == consequence
            if isHandedOn { handedOn.removeFirst() }
            return Listed(
                id: consequence.id, type: consequence.type, detail: consequence.detail, isHandedOn: isHandedOn)
        }
        dispatched = result.dispatched.map(Event.init)
        recorded = result.recorded
    }
}
