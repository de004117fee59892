@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Allocations that no layout reads as they are meant, each with what follows from it.
struct AllocationFindingsTests {
    private func findings(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config))
    }

    private static func variations(_ allocations: JSValue?..., version: JSValue = 8, more: JSObject = JSObject())
        -> JSObject
    {
        let list = allocations.enumerated().map { index, allocation in
            var variation = Configs.variation("\(index)", "v\(index)", .null, more)
            variation["traffic_allocation"] = allocation
            return JSValue.object(variation)
        }
        return SeededDefectsTests.experience(["variations": .array(list), "version": version])
    }

    @Test(arguments: [8, 12])
    func aPercentSignIsAnError(version: Int) throws {
        let found = try findings(Self.variations("50%", "50%", version: .integer(version)))
        #expect(found.first?.code == .allocationUnreadable && found.first?.severity == .error)
        // The packed layout breaks off.
        #expect(found.first?.message.contains("no visitor gets a variation") == (version == 8))
    }

    @Test func aMissingAllocationIsNoFraction() throws {
        let found = try findings(Self.variations(1, nil))
        #expect(!found.contains { $0.code == .fractionalAllocation })
        let above = try #require(found.first { $0.code == .allocationAbove })
        #expect(above.message.contains("101 %"))
    }

    @Test func anArchiveThatIsNoListIsAnError() throws {
        let found = try findings(Configs.config(["archived_experiences": "301"]))
        #expect(found.first?.path == "$.archived_experiences" && found.first?.severity == .error)
    }

    @Test(arguments: [8, 12])
    func aVariationThatDoesNotGetItsAllocationBesideAStoppedOneIsFound(version: Int) throws {
        var config = Self.variations(50, 50, 40, version: .integer(version))
        var experience = config["experiences"]?.arrayValue?[0].objectValue ?? JSObject()
        var variations = experience["variations"]?.arrayValue ?? []
        var stopped = variations[0].objectValue ?? JSObject()
        stopped["status"] = "stopped"
        variations[0] = .object(stopped)
        experience["variations"] = .array(variations)
        config["experiences"] = [.object(experience)]
        let found = try findings(config)
        let above = found.first { $0.code == .allocationAbove }
        let below = found.first { $0.code == .allocationBelow }
        #expect((above != nil) == (version == 12))
        // The config says 40 %.
        #expect(above?.message.contains("'v2' gets 14.28 % of the visitors instead of 40 %") ?? (version == 8))
        #expect(below?.message.contains(version == 12 ? "take 64.28 %" : "take 90 %") == true)
    }

    @Test func whatFollowsFromANegativeAllocationStandsUnderIt() throws {
        let found = try findings(Self.variations(-50, 50))
        #expect(found.map(\.code) == [.allocationNegative, .variationUnreachable, .allocationBelow])
        #expect(found.dropFirst().allSatisfy { $0.because?.code == .allocationNegative })
    }

    @Test func allocationsUnderAnotherNameGetOneStory() throws {
        let found = try findings(Self.variations(nil, nil, more: ["weight": 50]))
        let causes = found.filter { $0.because == nil }
        #expect(Set(causes.map(\.code)) == [.unreadMember])
        #expect(causes.allSatisfy { $0.remedy == "Did you mean 'traffic_allocation'?" })
        #expect(found.contains { $0.code == .allocationUnreadable })
        let unreachable = found.first { $0.code == .variationUnreachable }
        #expect(unreachable?.message.hasSuffix("variations before it take all bucket values.") == true)
    }

    @Test func aShareBetweenTwoBucketValuesIsNotSaidToBeTaken() throws {
        let found = try findings(Self.variations(50, 0.004, version: 12))
        let unreachable = try #require(found.first { $0.code == .variationUnreachable })
        #expect(unreachable.message.contains("between two bucket values"))
        #expect(found.first { $0.code == .allocationBelow }?.message.contains("50.004 %") == true)
    }

    @Test func aNoteOnFractionsStandsUnderThem() throws {
        let found = try findings(Self.variations(0.5, 0.5))
        #expect(found.map(\.code) == [.fractionalAllocation, .allocationBelow])
        #expect(found.last?.because?.code == .fractionalAllocation)
    }

    @Test(arguments: ["501", "501,502", "audience-501"])
    func anAudienceThatIsAttachedOtherwiseIsAConsequence(text: String) throws {
        func config(_ audiences: JSValue) -> JSObject {
            Configs.config([
                "audiences": [Configs.audience("501", Configs.all(SeededDefectsTests.plan))],
                "experiences": [.object(Configs.experience("checkout", id: "10", ["audiences": audiences]))],
            ])
        }
        let found = try findings(config(.string(text))).first { $0.code == .unattached }
        #expect(found?.because?.path == "$.experiences[0].audiences")
        let byObject = try findings(config([["id": .string("501")]])).first { $0.code == .unattached }
        #expect(byObject?.because?.path == "$.experiences[0].audiences[0]")
    }
}
