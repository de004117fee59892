import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

struct BucketLayoutTests {
    /// Ids and ranges of the arms in the order in which they are looked at.
    private func layout(_ version: JSValue, _ variations: [JSValue]) throws -> [String] {
        let experience = try ProjectConfig.Experience(version: version, variations)
        return BucketLayout(variations: experience.variations, version: experience.version).ranges.map {
            "\(experience.variations[$0.variation].id?.text ?? "") \($0.start)..<\($0.end)"
        }
    }

    @Test(
        arguments: [
            12, 11.5, "12", " 12 ", "1e2", "0x0C", [12],
        ] as [JSValue])
    func aVersionAboveElevenIsAnchored(version: JSValue) throws {
        let experience = try ProjectConfig.Experience(version: version, [])
        #expect(BucketLayout(variations: [], version: experience.version).kind == .anchored)
    }

    @Test(arguments: [11, 1, -12, "11", "", "abc", "12abc", true, .null, [:], [12, 13]] as [JSValue])
    func anyOtherVersionIsPacked(version: JSValue) throws {
        let experience = try ProjectConfig.Experience(version: version, [])
        #expect(BucketLayout(variations: [], version: experience.version).kind == .packed)
    }

    @Test func packedArmsLieSideBySide() throws {
        let arms = [variation("a", 25), variation("b", 0), variation("c", 50.5)]
        #expect(try layout(8, arms) == ["a 0.0..<2500.0", "c 2500.0..<7550.0"])
    }

    @Test func packedArmsWithArrayIndexesComeFirstAscending() throws {
        let arms = ["b", "10", "010", "9", "a", "4294967295", "4294967294"].map { variation(.string($0), 10) }
        let ids = try layout(8, arms).map { $0.prefix { $0 != " " } }
        #expect(ids == ["9", "10", "4294967294", "b", "010", "a", "4294967295"])
    }

    @Test func aRepeatedPackedIDKeepsItsFirstPlaceAndItsLastWeight() throws {
        let arms = [variation("a", 10), variation("b", 10), variation("a", 30)]
        #expect(try layout(8, arms) == ["a 0.0..<3000.0", "b 3000.0..<4000.0"])
    }

    @Test func aRepeatedAnchoredIDStaysApart() throws {
        let arms = [variation("a", 10), variation("b", 10), variation("a", 20)]
        #expect(try layout(12, arms) == ["a 0.0..<1000.0", "b 2500.0..<3500.0", "a 5000.0..<7000.0"])
    }

    @Test func anchoredArmsStayInConfigOrder() throws {
        let arms = [variation("b", 10), variation("9", 10), variation("10", 20)]
        #expect(try layout(12, arms).map { $0.prefix { $0 != " " } } == ["b", "9", "10"])
    }

    @Test func aStoppedAnchoredArmKeepsItsPlaceFree() throws {
        let arms = [variation("a", 25), variation("b", 25, status: "stopped"), variation("c", 50)]
        #expect(try layout(12, arms) == ["a 0.0..<2500.0", "c 5000.0..<10000.0"])
    }

    @Test(arguments: ["running", "", .null, nil] as [JSValue?]) func theseStatusesRun(status: JSValue?) throws {
        #expect(try layout(8, [variation("a", 100, status: status)]).count == 1)
    }

    @Test(arguments: ["stopped", "Running", "RUNNING", "running ", "paused"] as [JSValue])
    func anyOtherTextStops(status: JSValue) throws {
        #expect(try layout(8, [variation("a", 100, status: status)]).isEmpty)
    }

    @Test(arguments: [8, 12] as [JSValue]) func aMissingAllocationMeansEverybody(version: JSValue) throws {
        #expect(try layout(version, [variation("a", nil)]) == ["a 0.0..<10000.0"])
    }

    @Test(arguments: [8, 12] as [JSValue], [.null, 0, "", " ", "0", -5, false, []] as [JSValue])
    func theseAllocationsTakeNoVisitor(version: JSValue, allocation: JSValue) throws {
        let arms = [variation("a", allocation), variation("b", 100)]
        #expect(try layout(version, arms).allSatisfy { $0.hasPrefix("b ") })
    }

    @Test(arguments: [8, 12] as [JSValue]) func numericTextIsAnAllocation(version: JSValue) throws {
        #expect(try layout(version, [variation("a", "50"), variation("b", 50)]).first == "a 0.0..<5000.0")
    }

    @Test func textThatIsNoNumberEndsThePackedLayout() throws {
        let arms = [variation("a", 10), variation("b", "abc"), variation("c", 10)]
        #expect(try layout(8, arms) == ["a 0.0..<1000.0"])
    }

    @Test func textThatIsNoNumberCountsAsEverybodyInTheAnchoredLayout() throws {
        #expect(try layout(12, [variation("a", "abc")]) == ["a 0.0..<10000.0"])
    }

    @Test func aNegativeAllocationStaysInTheAnchoredTotal() throws {
        let arms = [variation("a", -50), variation("b", 100)]
        #expect(try layout(12, arms) == ["b -10000.0..<0.0"])
    }

    @Test(arguments: [[0, 0], [-5, 5], [-10, 5]] as [[JSValue]])
    func withoutAPositiveTotalTheAnchoredLayoutTakesNoVisitor(allocations: [JSValue]) throws {
        #expect(try layout(12, allocations.map { variation("a", $0) }).isEmpty)
    }

    @Test(arguments: [8, 12] as [JSValue], [nil, "", 0, .null, false] as [JSValue?])
    func anArmWithoutIDTakesNoVisitor(version: JSValue, id: JSValue?) throws {
        #expect(try layout(version, [variation(id, 50), variation("b", 50)]) == ["b 0.0..<5000.0"])
    }

    @Test(arguments: [8, 12] as [JSValue], [true, [:], [1]] as [JSValue])
    func anArmWhoseIDIsNoneKeepsItsShare(version: JSValue, id: JSValue) throws {
        let experience = try ProjectConfig.Experience(version: version, [variation(id, 50), variation("b", 50)])
        let ranges = BucketLayout(variations: experience.variations, version: experience.version).ranges
        #expect(ranges.map(\.start) == [0, 5000])
    }

    @Test func theLastValueOfARangeIsTheOneBeforeItsEnd() throws {
        for version in [8, 12] as [JSValue] {
            let experience = try ProjectConfig.Experience(version: version, [variation("a", 50), variation("b", 50)])
            let layout = BucketLayout(variations: experience.variations, version: experience.version)
            #expect([0, 4_999, 5_000, 9_999, 10_000].map { layout.variation(for: $0) } == [0, 0, 1, 1, nil])
        }
    }

    /// The packed layout's index of ids, and the way back from an arm to its variation, at a size only an attacker
    /// sends.
    @Test(arguments: [8, 12] as [JSValue]) func everyOneOfManyArmsHasItsRange(version: JSValue) throws {
        let count = 8_000
        let arms = (0..<count).map { variation(.string("v\($0)"), 0.0125) }
        let experience = try ProjectConfig.Experience(version: version, arms)
        let layout = BucketLayout(variations: experience.variations, version: experience.version)
        #expect(layout.ranges.map(\.variation) == Array(0..<count))
        #expect(layout.variation(for: 9_999) == count - 1)
    }

    @Test(arguments: [8, 12] as [JSValue]) func aVisitorOfOneOfManyArmsFindsIt(version: JSValue) throws {
        let arms = (0..<8_000).map { variation(.string("v\($0)"), 0.0125) }
        let members: JSObject = ["version": version, "variations": .array(arms)]
        let manager = try ExperienceManager(["experiences": [experience("e", members)]])
        let value = BucketingManager().bucketValue(visitorID: "visitor", experienceID: "id-e")
        #expect(manager.decide("e").variation?.variationID == "v\(Int(Double(value) / 1.25))")
    }

    @Test func aRepeatedIDAmongManyArmsKeepsItsFirstPlace() throws {
        let arms = (0..<8_000).map { variation(.string("v\($0 % 4_000)"), 0.0125) }
        let ranges = try layout(8, arms)
        #expect(ranges.count == 4_000)
        #expect(ranges.last == "v3999 4998.75..<5000.0")
    }
}
