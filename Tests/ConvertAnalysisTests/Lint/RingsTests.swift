@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Experiences that let in only visitors of others, which no visitor enters.
struct RingsTests {
    /// Experiences in order, each with the one that it asks about and whether it keeps out its visitors.
    private static func config(
        _ graph: [(key: String, asks: String?, keepsOut: Bool)], share: [String: JSValue] = [:]
    ) -> JSObject {
        Configs.config([
            "audiences": .array(
                graph.enumerated().compactMap { place, node in
                    node.asks.map { asked in
                        Configs.audience(
                            "5\(place)",
                            Configs.all(
                                Configs.leaf(
                                    "x", "equals", .string(asked), negated: node.keepsOut,
                                    type: "bucketed_into_experience_key")))
                    }
                }),
            "experiences": .array(
                graph.enumerated().map { place, node in
                    var changes: JSObject = [
                        "variations": [.object(Configs.variation("1", "v", share[node.key] ?? 100))]
                    ]
                    if node.asks != nil { changes["audiences"] = [.string("5\(place)")] }
                    return .object(Configs.experience(node.key, id: "3\(place)", changes))
                }),
        ])
    }

    private static func unreachable(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config)).filter { $0.code == .experienceUnreachable }
    }

    @Test func experiencesThatWaitForEachOtherAreFound() throws {
        let three = Self.config([("a", "c", false), ("b", "a", false), ("c", "b", false)])
        let found = try Self.unreachable(three)
        #expect(found.map(\.path) == ["$.experiences[0]", "$.experiences[1]", "$.experiences[2]"])
        #expect(found.allSatisfy { $0.message.contains("in turn asks about this one") && $0.because == nil })
        let two = try Self.unreachable(Self.config([("a", "b", false), ("b", "a", false)]))
        #expect(two.count == 2)
    }

    @Test func aLaterExperienceWithoutVisitorsIsFound() throws {
        let found = try Self.unreachable(Self.config([("a", "b", false), ("b", nil, false)], share: ["b": 0]))
        #expect(found.map(\.path) == ["$.experiences[0]"])
        #expect(found.first?.because?.code == .allocationZero)
    }

    @Test func visitorsOfALaterExperienceComeAgain() throws {
        #expect(try Self.unreachable(Self.config([("a", "b", false), ("b", nil, false)])).isEmpty)
        #expect(try Self.unreachable(Self.config([("a", "c", false), ("b", nil, false), ("c", "b", false)])).isEmpty)
        // One of the ring lets in all visitors but those of another.
        #expect(try Self.unreachable(Self.config([("a", "b", false), ("b", "a", true)])).isEmpty)
    }

    @Test func anExperienceThatKeepsOutItsOwnVisitorsLosesThem() throws {
        let found = try ConfigLint().findings(in: Configs.data(Self.config([("a", "a", true)])))
        #expect(found.first?.code == .exclusionOrder)
        #expect(found.first?.message.contains("keeps out its own visitors") ?? false)
    }
}
