import ConvertECMAScript
import ConvertTestSupport
import Testing

struct JSONDifferentialTests {
    @Test func everyTextIsReadAsTheReferenceReadsIt() {
        var accepted = 0
        let documents = caseCount(5_000, plain: 2_000)
        for seed in 0..<documents {
            var generator = JSONGenerator(seed: seed)
            let bytes = generator.document()
            let parsed = parsedSpelling(of: bytes), expected = ReferenceJSON.spell(bytes)
            if parsed != expected {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            if parsed != nil { accepted += 1 }
        }
        #expect(accepted > documents / 4 && accepted < documents * 19 / 20)
    }

    @Test func aValueHoldsWhatItsCursorTells() throws {
        var compared = 0
        for seed in 0..<inputSize(2_000, plain: 700) {
            var generator = JSONGenerator(seed: seed)
            let bytes = generator.document()
            guard let told = parsedSpelling(of: bytes) else { continue }
            let value = try bytes.withElements { try ECMAScript.parseJSON($0).withRoot { $0.value } }
            #expect(spelling(of: value) == told, "seed \(seed)")
            compared += 1
        }
        #expect(compared > inputSize(500, plain: 170))
    }

    static let documents = [
        #"{"a":[1,-2.5e-3,{"b":null}],"é":"\ud83d\ude00\n","c":[true,false,[]],"1":{}}"#,
        " [ \"\\u00e9\\\\\" , 0.1 , {\"k\" : \"一\u{10ffff}\"} ] ", "\u{feff}[12345678901234567890]",
    ]

    @Test(arguments: documents) func aTextCutAnywhereIsReadAsTheReferenceReadsIt(text: String) {
        let bytes = Array(text.utf8)
        for length in 0...bytes.count {
            let part = Array(bytes[..<length])
            #expect(parsedSpelling(of: part) == ReferenceJSON.spell(part), "the first \(length) bytes")
        }
        #expect(parsedSpelling(of: bytes) != nil)
    }

    /// Every third byte; all of them with CONVERT_CASES=2.
    @Test(arguments: documents) func aTextWithAnyByteChangedIsReadAsTheReferenceReadsIt(text: String) {
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            for byte in stride(from: UInt8(place % 3), through: .max, by: inputSize(1, plain: 3)) {
                var changed = bytes
                changed[place] = byte
                let parsed = parsedSpelling(of: changed)
                if parsed != ReferenceJSON.spell(changed) {
                    Issue.record("byte \(place) changed to \(byte)")
                    return
                }
            }
        }
    }
}
