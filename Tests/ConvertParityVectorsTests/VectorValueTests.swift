import ConvertECMAScript
import ConvertParityVectors
import Testing

struct VectorValueTests {
    @Test(arguments: [
        ("Infinity", Double.infinity), ("-Infinity", -Double.infinity), ("-0", -0.0), ("22.0", 22.0),
    ])
    func aSpelledNumberIsResolved(spelling: String, number: Double) {
        let value = (["$number": .string(spelling)] as JSValue).resolvingNumbers
        #expect(value.numberValue?.bitPattern == number.bitPattern)
    }

    @Test func aSpelledNaNIsResolved() {
        #expect((["$number": "NaN"] as JSValue).resolvingNumbers.numberValue?.isNaN == true)
    }

    @Test func numbersAreResolvedAtAnyDepth() {
        let value: JSValue = ["a": [["b": ["$number": "Infinity"]], 1]]
        #expect(value.resolvingNumbers == ["a": [["b": .number(.infinity)], 1]])
    }

    @Test(
        arguments: [
            ["$number": 1], ["$number": "1", "other": 2], [:], [["$numbers": "1"]], "$number",
        ] as [JSValue])
    func whatSpellsNoNumberStaysAsItIs(value: JSValue) {
        #expect(value.resolvingNumbers == value)
    }
}
