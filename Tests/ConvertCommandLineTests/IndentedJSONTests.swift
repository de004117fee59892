import ConvertECMAScript
import Testing

@testable import convert_sdk

struct IndentedJSONTests {
    private struct Sample: Encodable {
        var z = 1.5
        var missing: Int?
        var value: JSValue = ["b": .number(.infinity), "a": [.number(-0.0), .integer(.max), .null]]
        var object: JSObject? = ["é\u{7}": "x/y"]
        var seed = UInt64.max
        var rates: [Double?] = [.infinity, -0.5, 1e21, nil, .nan]
        var empty: [[Int]] = [[]]
        var counts = ["b": 1, "a": 2, "B": 3]
        var isSound = true
        var nothing = Nothing()
    }

    private struct Nothing: Encodable {}

    @Test func membersAreSortedAndValuesKeepTheirOrderAndNumbers() throws {
        let text = #"""
            {
              "counts" : {
                "B" : 3,
                "a" : 2,
                "b" : 1
              },
              "empty" : [
                []
              ],
              "isSound" : true,
              "nothing" : {},
              "object" : {"é\u0007":"x/y"},
              "rates" : [
                1e400,
                -0.5,
                1e+21,
                null,
                null
              ],
              "seed" : 18446744073709551615,
              "value" : {"b":1e400,"a":[-0,9223372036854775807,null]},
              "z" : 1.5
            }
            """#
        #expect(try IndentedJSON.text(of: Sample()) == text)
    }
}
