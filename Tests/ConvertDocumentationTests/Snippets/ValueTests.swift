import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// The snippets of the catalogs of ConvertECMAScript, ConvertSwiftSDKCore and ConvertAnalysis.
struct ValueTests {
    private let file = URL(fileURLWithPath: "TestVectors/configs/demo-shop.json")

    @Test func valuesAreThoseOfECMAScript() throws {
        #expect(ECMAScript.toString(.number(1e21)) == "1e+21")
        #expect(ECMAScript.toString([1, .null, "a"]) == "1,,a")
        let object = try JSONDecoder().decode(JSObject.self, from: Data(#"{"plan": "pro", "visits": 3}"#.utf8))
        #expect(object == ["plan": "pro", "visits": 3])
    }

    @Test func expressionsAreThoseOfECMAScript() throws {
        let expression = try RegExp(#"^/checkout/(?<step>\d+)"#, flags: "i")
        #expect(try expression.test("/Checkout/12"))
        #expect(try expression.exec("/Checkout/12")?["step"] == "12")
    }

    @Test func aConfigIsRead() throws {
        let config = try ProjectConfig(json: Data(contentsOf: file))
        for diagnostic in config.diagnostics { print(diagnostic) }
        #expect(config.diagnostics.isEmpty)
    }

    @Test func questionsAreAsked() throws {
        let findings = try ConfigLint().findings(in: Data(contentsOf: file))
        for finding in findings { print(finding.severity, finding.path, finding.message) }
        #expect(!findings.contains { $0.severity == .error })

        let old = try Data(contentsOf: file)
        let new = Data(String(decoding: old, as: UTF8.self).replacing("33.34", with: "10").utf8)
        let difference = try ConfigDiff().difference(from: old, to: new)
        for experience in difference.experiences { print(experience.key, experience.moved, experience.audience) }
        #expect(difference.experiences.filter { $0.moved > 0 }.map(\.key) == ["free-shipping-banner"])
    }

    @Test func aPopulationIsSimulated() throws {
        let page = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: page) }
        let config = try ProjectConfig(json: Data(contentsOf: file))
        let report = PopulationSimulation(config, environment: "production").generate(1_000, seed: 1)
        try Data(report.html(for: config).utf8).write(to: page)
        #expect(try String(contentsOf: page, encoding: .utf8).contains("one-page-checkout"))
    }
}
