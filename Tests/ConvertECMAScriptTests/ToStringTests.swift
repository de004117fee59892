import ConvertECMAScript
import Testing

struct ToStringTests {
    @Test func primitivesHaveTheirLiteralTexts() {
        #expect(ECMAScript.toString(nil) == "undefined")
        #expect(ECMAScript.toString(.null) == "null")
        #expect(ECMAScript.toString(true) == "true")
        #expect(ECMAScript.toString(false) == "false")
        #expect(ECMAScript.toString(.number(5)) == "5")
        #expect(ECMAScript.toString(.number(-0.0)) == "0")
        #expect(ECMAScript.toString(" a\u{0} ") == " a\u{0} ")
    }

    @Test func integersAreTheNearestDoubles() {
        #expect(ECMAScript.toString(.integer(-42)) == "-42")
        #expect(ECMAScript.toString(.integer(9_007_199_254_740_992)) == "9007199254740992")
        #expect(ECMAScript.toString(.integer(9_007_199_254_740_993)) == "9007199254740992")
        #expect(ECMAScript.toString(.integer(-9_007_199_254_740_993)) == "-9007199254740992")
        #expect(ECMAScript.toString(.integer(.max)) == "9223372036854776000")
        #expect(ECMAScript.toString(.integer(.min)) == "-9223372036854776000")
    }

    @Test func arraysAreJoinedAndObjectsAreNot() {
        #expect(ECMAScript.toString([]) == "")
        #expect(ECMAScript.toString([.null]) == "")
        #expect(ECMAScript.toString([.null, .null]) == ",")
        #expect(ECMAScript.toString([1, [2, [3, "x"]], true]) == "1,2,3,x,true")
        #expect(ECMAScript.toString([[], [[]], 1]) == ",,1")
        #expect(ECMAScript.toString([[.null, 1], .null, [2]]) == ",1,,2")
        #expect(ECMAScript.toString(["a,b", ["c"]]) == "a,b,c")
        #expect(ECMAScript.toString([:]) == "[object Object]")
        #expect(ECMAScript.toString([["a": 1], 2]) == "[object Object],2")
    }

    @Test func deepNestingTakesNoStack() {
        var value: JSValue = ["x"]
        for _ in 0..<5_000 { value = [value, 1] }
        #expect(ECMAScript.toString(value) == "x" + String(repeating: ",1", count: 5_000))
    }
}
