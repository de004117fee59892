import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

/// What the README shows, on rules of the package.
struct RulesExampleTests {
    @Test func theExampleOfTheREADMEThanksOnce() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "TestVectors/configs/mobile-rules.json")
        let server = try TestServer(.status(200, body: Data(contentsOf: file)))
        defer { server.stop() }
        let rulesURL = server.url("/rules.json")
        let cacheFolder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: cacheFolder) }
        let shown = Log<String>()

        var configuration = MobileRulesConfiguration()
        configuration.handlers["iam"] = ConsequenceClosure { message in
            shown.append(message.consequence.detail["content"]?.stringValue ?? "")
        }
        let engine = MobileRulesEngine(configuration)
        let loader = RulesLoader(
            engine: engine, source: .url(rulesURL), cache: RulesCache(folder: cacheFolder))
        try await loader.start()

        for _ in 0..<2 {
            engine.processAll(
                MobileEvent(type: "track", source: "app", data: ["action": "buy", "cart": ["total": 59.9]]))
        }
        #expect(shown.entries == ["Your order of 59.9 is on its way."])
    }
}
