import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import Foundation
import Testing

struct EntityIDTests {
    @Test func textAndNumberAreTwoIDs() {
        #expect(EntityID("9" as JSValue) != EntityID(9 as JSValue))
        #expect(EntityID(9 as JSValue) == EntityID(9.0 as JSValue))
    }

    @Test func numbersAreOneIDHoweverTheyAreSpelled() throws {
        let config = try ProjectConfig(
            json: Data(
                #"""
                {"account_id": "1", "project": {"id": "2"},
                "experiences": [{"id": "e", "goals": [0, -0, 0.0, -0.0]}]}
                """#.utf8))
        #expect(Set(config.experiences[0].goals).count == 1)
        #expect(config.experiences[0].goals.map(\.text) == ["0", "0", "0", "0"])
        #expect(EntityID(9_007_199_254_740_993 as JSValue) == EntityID(9_007_199_254_740_992 as JSValue))
    }

    @Test func aLiteralIsText() {
        #expect("9" as EntityID == EntityID("9"))
        #expect("9" as EntityID != EntityID(9 as JSValue))
    }

    @Test func idsAreComparedByCodeUnits() {
        #expect(EntityID("caf\u{e9}") != EntityID("cafe\u{301}"))
    }

    @Test(
        arguments: [
            (1e21, "1e+21"), (5.0, "5"), (0.5, "0.5"), (-0.0, "0"), (9_007_199_254_740_993, "9007199254740992"),
        ]
            as [(JSValue, String)])
    func aNumberIsSpelledAsInECMAScript(number: JSValue, text: String) {
        #expect(EntityID(number)?.text == text)
    }

    @Test(
        arguments: [("0", true), ("", false), (7, true), (0, false), (-0.0, false), (.number(.nan), false)]
            as [(JSValue, Bool)])
    func anIDCountsAsOneIfECMAScriptTakesItForTrue(id: JSValue, isTruthy: Bool) {
        #expect(EntityID(id)?.isTruthy == isTruthy)
    }

    @Test func aConfigMayHaveABooleanForAnID() throws {
        #expect(EntityID(onWire: true)?.text == "true")
        #expect(EntityID(onWire: true) != EntityID(onWire: "true"))
        let manager = try FeatureManager([
            "features": [feature(true, "f")], "experiences": [carrier("a", of: [true])],
        ])
        #expect(manager.feature("f").features.map(\.status) == [.enabled])
    }

    @Test(arguments: [.null, true, [], [:], nil] as [JSValue?]) func anythingElseIsNoID(value: JSValue?) {
        #expect(EntityID(value) == nil)
    }
}
