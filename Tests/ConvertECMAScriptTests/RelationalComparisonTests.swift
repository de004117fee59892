import ConvertECMAScript
import Testing

struct RelationalComparisonTests {
    @Test func twoTextsAreComparedByCodeUnits() {
        #expect(ECMAScript.isLessThan("10a", "9a") == true)
        #expect(ECMAScript.isLessThan("Apple", "apple") == true)
        #expect(ECMAScript.isLessThan("10", "9") == true)
        #expect(ECMAScript.isLessThan("a", "a") == false)
        #expect(ECMAScript.isLessThan("\u{1f600}", "\u{ff5e}") == true)
    }

    @Test func anythingElseIsComparedAsNumbers() {
        #expect(ECMAScript.isLessThan("10", 9) == false)
        #expect(ECMAScript.isLessThan(" 0x0A ", 11) == true)
        #expect(ECMAScript.isLessThan(false, true) == true)
        #expect(ECMAScript.isLessThan(.null, 1) == true)
        #expect(ECMAScript.isLessThan(.null, .null) == false)
        #expect(ECMAScript.isLessThan(.number(-0.0), 0) == false)
        #expect(ECMAScript.isLessThan(.integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993)) == false)
        #expect(ECMAScript.isLessThan(.number(-.infinity), .number(.infinity)) == true)
    }

    @Test func arraysAndObjectsAreComparedAsTheirTexts() {
        #expect(ECMAScript.isLessThan([10], [9]) == true)
        #expect(ECMAScript.isLessThan([10], 9) == false)
        #expect(ECMAScript.isLessThan([], .null) == false)
        #expect(ECMAScript.isLessThan([:], "a") == true)
        #expect(ECMAScript.isLessThan([:], [:]) == false)
    }

    @Test func nothingIsDecidedWhenNaNTakesPart() {
        #expect(ECMAScript.isLessThan("abc", 5) == nil)
        #expect(ECMAScript.isLessThan(5, nil) == nil)
        #expect(ECMAScript.isLessThan(.number(.nan), .number(.nan)) == nil)
        #expect(ECMAScript.isLessThan([:], 1) == nil)
    }
}
