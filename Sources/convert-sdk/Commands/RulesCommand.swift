import ConvertECMAScript
import ConvertMobileRules
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk rules`.
struct RulesCommand: Command {
    private static let event = OptionDeclaration(
        "--event", "e", .fileOrJSON, isRequired: true,
        #"the event: {"type": "…", "source": "…", "data": {…}}, data may be left out"#)
    private static let state = OptionDeclaration(
        "--state", nil, .fileOrJSON, #"shared states by name: {"com.example.module": {…}}"#)
    private static let history = OptionDeclaration(
        "--history", nil, .fileOrJSON,
        #"events that happened before: [{"event": {…}, "at": MS, "mask": ["…"]}], mask may be left out"#)
    private static let semantics = OptionDeclaration(
        "--semantics", "s", .choice(MobileRulesSemantics.self, default: .standard),
        "whether a condition that cannot be evaluated never holds (standard) or is left out (reference)")
    private static let explain = OptionDeclaration("--explain", "x", "say which conditions held")

    static let declaration = CommandDeclaration(
        name: "rules", summary: "evaluate mobile rules for an event",
        discussion: """
            Evaluates mobile rules for an event, then for the events that it dispatches, and prints the consequences \
            of the matching rules with their tokens replaced. RULES is a rules.json, a ZIP archive that holds one, or \
            the https URL of either.
            """,
        operands: CommandDeclaration.Operands(
            name: "RULES", meaning: "a rules.json, an archive or a URL", count: 1...1, candidates: .files),
        options: [event, state, history, semantics, explain, CommonOption.json],
        remarks: """
            Nothing is sent and nothing is kept. Prints problems in the rules to standard error, a \
            line each.
            """)

    private let rules: String
    private let event: MobileEvent
    private let states: [PropertyKey: JSObject]
    private let history: InMemoryEventHistory
    private let semantics: MobileRulesSemantics
    private let explains: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws {
        rules = arguments.operands.first ?? ""
        event = try Self.read(arguments.required(Self.event), of: Self.event) { try MobileEvent($0) }
        states = try arguments[Self.state].map { try Self.read($0, of: Self.state, Self.sharedStates) } ?? [:]
        history = InMemoryEventHistory()
        if let file = arguments[Self.history] {
            for record in try Self.read(file, of: Self.history, Occurrence.list) {
                history.record(EventFingerprint(of: record.event, mask: record.mask), at: record.at)
            }
        }
        semantics = try arguments.choice(Self.semantics, of: MobileRulesSemantics.self) ?? .standard
        explains = arguments.has(Self.explain)
        printsJSON = arguments.has(CommonOption.json)
    }

    func run() async throws -> ExitCode {
        var configuration = MobileRulesConfiguration()
        configuration.semantics = semantics
        configuration.sharedStates = FixedSharedStates(byKey: states)
        configuration.history = history
        configuration.observer = WarningPrinter()
        let engine = MobileRulesEngine(configuration)
        let source = try source()
        do {
            try await RulesLoader(engine: engine, source: source).start()
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

    private func source() throws -> RulesSource {
        let isRemote = ["https://", "http://"].contains { rules.lowercased().hasPrefix($0) }
        if isRemote, let url = URL(string: rules) { return .url(url) }
        return .data(try InputFile.read(rules, for: "RULES"))
    }

    private func printForPeople(_ results: [MobileRulesResult]) {
        for result in results {
            let count = result.matchedRules.count
            Console.print(
                "\(result.event.type), \(result.event.source): \(count) \(count == 1 ? "rule matches" : "rules match")")
            if result.consequences.isEmpty { continue }
            Console.printTable(
                [["ID", "TYPE", "DETAIL"]]
                    + result.consequences.map { [$0.id, $0.type, ECMAScript.jsonText(of: .object($0.detail))] })
            if result.event.data != event.data, let data = result.event.data {
                Console.print("data: \(ECMAScript.jsonText(of: .object(data)))")
            }
        }
    }
}

extension RulesCommand {
    /// The data of each shared state.
    private static func sharedStates(_ value: JSValue) throws -> [PropertyKey: JSObject] {
        guard let members = value.objectValue else { throw UsageError("expected an object of shared states by name") }
        var states: [PropertyKey: JSObject] = [:]
        for member in members {
            guard let data = member.value.objectValue else {
                throw UsageError("the state '\(member.key.name)' is not an object")
            }
            states[member.key] = data
        }
        return states
    }

    /// Passes the JSON of an option, or of the file that the option names, to `make`, and returns its result.
    private static func read<Value>(
        _ text: String, of option: OptionDeclaration, _ make: (JSValue) throws -> Value
    ) throws -> Value {
        let value = try InputFile.readValue(text, for: option.name)
        do {
            return try make(value)
        } catch {
            let reason = (error as? UsageError)?.message ?? "\(error)"
            throw UsageError("\(option.name) is not what is expected there: \(reason); see 'convert-sdk help rules'")
        }
    }
}

/// An event that happened earlier.
private struct Occurrence {
    let event: JSObject
    let at: Int64
    let mask: [String]?

    /// Creates the event; `nil` if the value has another form.
    private init?(_ value: JSValue) {
        guard let members = value.objectValue, let event = members["event"]?.objectValue,
            case .integer(let at)? = members["at"]
        else { return nil }
        let mask = members["mask"].flatMap { $0.isNull ? nil : $0 }
        let names = mask?.arrayValue?.compactMap(\.stringValue)
        if let mask, names == nil || names?.count != mask.arrayValue?.count { return nil }
        (self.event, self.at, self.mask) = (event, Int64(at), names)
    }

    /// Reads a list of events.
    static func list(_ value: JSValue) throws -> [Occurrence] {
        guard let elements = value.arrayValue else { throw UsageError("expected a list of events that happened") }
        return try elements.enumerated().map { index, element in
            guard let occurrence = Occurrence(element) else {
                throw UsageError("element \(index) needs an object 'event', an integer 'at', and texts in 'mask'")
            }
            return occurrence
        }
    }
}

private struct WarningPrinter: MobileRulesObserver {
    func didWarn(_ warning: MobileRulesWarning) { Console.complain("warning: \(warning)") }
}

private struct Report: Encodable {
    let results: [Outcome]
    let explanation: RulesExplanation?
}

/// The results of one event.
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
            // Consequences that are passed on appear in the same order.
            let isHandedOn = handedOn.first == consequence
            if isHandedOn { handedOn.removeFirst() }
            return Listed(
                id: consequence.id, type: consequence.type, detail: consequence.detail, isHandedOn: isHandedOn)
        }
        dispatched = result.dispatched.map(Event.init)
        recorded = result.recorded
    }
}
