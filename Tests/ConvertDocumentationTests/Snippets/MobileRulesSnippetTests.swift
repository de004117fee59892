import ConvertMobileRules
import ConvertSQLiteStores
import ConvertTestServer
import ConvertTransport
import Foundation
import Synchronization
import Testing

/// The snippets of the article Mobile rules, from the first rule.
struct MobileRulesSnippetTests {
    private let rulesFile = URL(fileURLWithPath: "TestVectors/configs/mobile-rules.json")

    @Test func theMessageIsShownOnceAcrossARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let shown = Shown()
        let show: @Sendable (String) -> Void = { shown.add($0) }
        for _ in 0..<2 {
            var configuration = MobileRulesConfiguration()
            configuration.profile = try ClientSideProfile(file: folder.appending(path: "profile.sqlite"))
            configuration.handlers["iam"] = ConsequenceClosure { message in
                show(message.consequence.detail["content"]?.stringValue ?? "")
            }
            let engine = MobileRulesEngine(configuration)
            let loader = RulesLoader(engine: engine, source: .file(rulesFile))
            try await loader.start()

            let total = 59.9
            engine.processAll(
                MobileEvent(type: "track", source: "app", data: ["action": "buy", "cart": ["total": total]]))
        }
        #expect(shown.texts == ["Your order of 59.9 is on its way."])
    }

    @Test func rulesAreTestedWithoutFilesAndHandlers() throws {
        let total = 59.9
        let engine = MobileRulesEngine()
        engine.replaceRules(with: try RulesDocument(json: Data(contentsOf: rulesFile)))
        let order = MobileEvent(type: "track", source: "app", data: ["action": "buy", "cart": ["total": total]])
        let message = engine.evaluate(order).first?.detail["content"]?.stringValue
        #expect(message == "Your order of 59.9 is on its way.")
    }

    @Test func aSharedStateIsGivenByTheApp() throws {
        let json = #"""
            {"version": 1, "rules": [{
                "condition": {"type": "matcher", "definition": {"key": "~type", "matcher": "eq", "values": ["track"]}},
                "consequences": [{"id": "1", "type": "iam", "detail": {
                    "content": "{%~state.shop/name%}, {%~state.shop/none%}{%missing%}."
                }}]
            }]}
            """#
        var configuration = MobileRulesConfiguration()
        configuration.sharedStates = FixedSharedStates(["shop": ["name": "Corner Shop"]])
        // Now {%~state.shop/name%} is Corner Shop.
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: Data(json.utf8)))
        let text = engine.evaluate(MobileEvent(type: "track", source: "app")).first?.detail["content"]?.stringValue
        #expect(text == "Corner Shop, .")
    }

    @Test func rulesComeFromAServer() async {
        // A loaded machine may not answer within the loader's time limit.
        var count: Int?
        for _ in 0..<20 where count == nil { count = try? await ruleCountFromAServer() }
        #expect(count == 1)
    }

    private func ruleCountFromAServer() async throws -> Int {
        let server = try TestServer(.status(200, body: Data(contentsOf: rulesFile)))
        defer { server.stop() }
        let cacheFolder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: cacheFolder) }
        let rulesURL = server.url("/rules.json")
        var configuration = MobileRulesConfiguration()
        let sender = SignalSender(transport: SystemTransport())
        configuration.handlers["pb"] = sender
        configuration.handlers["pii"] = sender
        let engine = MobileRulesEngine(configuration)

        let loader = RulesLoader(engine: engine, source: .url(rulesURL), cache: RulesCache(folder: cacheFolder))
        try await loader.start()  // the cached copy at once, then what is new
        try await loader.refresh()  // at the start of each session
        return engine.ruleCount
    }

    static let refusals: [(json: String, code: MobileRulesError.Code?)] = [
        (#"{"version": 1, "rules": []}"#, nil), (#"{"version": -7, "rules": []}"#, nil),
        (#"{"version": 99, "rules": []}"#, nil), (#"{"version": 1.0, "rules": []}"#, nil),
        (#"{"rules": []}"#, .missingMember), (#"{"version": null, "rules": []}"#, .wrongType),
        (#"{"version": "1", "rules": []}"#, .wrongType), (#"{"version": 1.5, "rules": []}"#, .wrongType),
        (#"{"version": 1}"#, .missingMember), ("rules", .invalidJSON),
        (
            #"{"version": 1, "rules": [{"condition": {"type": "x", "definition": {}}, "consequences": []}]}"#,
            .unknownConditionType
        ),
    ]

    @Test(arguments: refusals.indices) func documentsAreRefusedAsTheTableSays(index: Int) {
        let (json, code) = Self.refusals[index]
        do {
            _ = try RulesDocument(json: Data(json.utf8))
            #expect(code == nil, "\(json)")
        } catch {
            #expect(error.code == code, "\(json)")
        }
    }

    @Test func aMisspeltMemberIsReportedAsShown() throws {
        let json = #"""
            {"version": 1, "rules": [{
                "condition": {"type": "historical", "definition": {
                    "events": [{"a": 1}], "matcher": "ge", "value": 1, "search_type": "ordered"
                }},
                "consequences": []
            }]}
            """#
        let page = try String(
            contentsOfFile: "Sources/ConvertMobileRules/ConvertMobileRules.docc/FirstRule.md", encoding: .utf8)
        let warnings = try RulesDocument(json: Data(json.utf8)).warnings(under: .standard)
        #expect(warnings.count == 1)
        for warning in warnings { #expect(page.contains("\n\(warning)\n")) }
    }

    @Test func allURLWritesWhatTheArticleSays() throws {
        let engine = MobileRulesEngine()
        let json = #"""
            {"version": 1, "rules": [{
                "condition": {"type": "matcher", "definition": {"key": "~type", "matcher": "eq", "values": ["track"]}},
                "consequences": [{"id": "1", "type": "iam", "detail": {"content": "{%~all_url%}"}}]
            }]}
            """#
        engine.replaceRules(with: try RulesDocument(json: Data(json.utf8)))
        let data: JSObject = ["b": "x y", "a": ["k": [1, true], "none": .null], "list": [], "gone": .null]
        let event = MobileEvent(type: "track", source: "app", data: data)
        let text = engine.evaluate(event).first?.detail["content"]?.stringValue
        #expect(text == "a.k=1,true&b=x%20y&list=%5B%5D")
    }
}

private final class Shown: Sendable {
    private let state = Mutex<[String]>([])
    var texts: [String] { state.withLock { $0 } }
    func add(_ text: String) { state.withLock { $0.append(text) } }
}
