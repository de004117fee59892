import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Configs that somebody could ship: nothing in them is an error.
struct SoundConfigsTests {
    private static let conditions: [JSValue] = [
        Configs.leaf("plan", "equals", "pro"), Configs.leaf("plan", "matches", "Pro", negated: true),
        Configs.leaf("visits", "less", 5), Configs.leaf("visits", "lessEqual", "1,000", negated: true),
        Configs.leaf("url", "contains", "/shop/"), Configs.leaf("url", "startsWith", "https://"),
        Configs.leaf("mail", "endsWith", "@example.com", negated: true), Configs.leaf("land", "isIn", "de|at|ch"),
        Configs.leaf("land", "isIn", ["de", "at"]), Configs.leaf("id", "exists", nil),
        Configs.leaf("id", "doesNotExist", nil),
        Configs.leaf("agent", "regexMatches", "(android|iphone).*mobile"),
        Configs.leaf("path", "regexMatches", "^/p/\\d+$"),
        Configs.leaf("beta", "equals", true), Configs.leaf("size", "equalsNumber", 5.5),
        Configs.leaf("κλειδί", "equals", "Σίσυφος"),
    ]

    static let configs: [JSObject] = {
        var configs = [Configs.config()]
        for condition in conditions { configs.append(Configs.audienceConfig(Configs.all(condition))) }
        for (first, second) in zip(conditions, conditions.dropFirst(3)) {
            configs.append(Configs.audienceConfig(Configs.all(first, second)))
            configs.append(Configs.audienceConfig(Configs.rules([[[first, second]]])))
        }
        for (first, second) in zip(conditions, conditions.dropFirst(5)) {
            configs.append(Configs.audienceConfig(Configs.rules([[[first]], [[second]]])))
        }
        return configs
    }()

    @Test(arguments: RuleSemantics.allCases)
    func noErrorIsFound(semantics: RuleSemantics) throws {
        #expect(Self.configs.count >= 30)
        for config in Self.configs {
            let findings = try ConfigLint(semantics: semantics).findings(in: Configs.data(config))
            let wrong = findings.filter { $0.severity == .error || $0.isUndecided }
            #expect(wrong.isEmpty, "\(wrong) in \(ECMAScript.jsonText(of: .object(config)))")
        }
    }

    /// One bucket value of ten thousand is enough to show a visitor who enters.
    @Test func experiencesForFewVisitorsAreDecided() throws {
        let experiences = (0..<20).map { number in
            JSValue.object(
                Configs.experience(
                    "e\(number)", id: "\(number)", ["variations": [.object(Configs.variation("v\(number)", "a", 0.01))]]
                ))
        }
        let findings = try ConfigLint().findings(in: Configs.data(Configs.config(["experiences": .array(experiences)])))
        #expect(findings.map(\.code) == experiences.map { _ in .allocationBelow })
    }

    @Test(arguments: RuleSemantics.allCases)
    func theRecordedConfigHasNoError(semantics: RuleSemantics) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("TestVectors/configs/demo-shop.json")
        let findings = try ConfigLint(semantics: semantics).findings(in: Data(contentsOf: file))
        let wrong = findings.filter { $0.severity == .error || $0.isUndecided }
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
