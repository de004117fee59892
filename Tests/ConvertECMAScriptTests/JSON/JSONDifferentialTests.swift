import ConvertECMAScript
import ConvertTestSupport
import Testing

struct JSONDifferentialTests {
    @Test func everyTextIsReadAsTheReferenceReadsIt() {
        var accepted = 0
        for seed in 0..<caseCount(5_000) {
            var generator = JSONGenerator(seed: seed)
            let bytes = generator.document()
            let parsed = parsedSpelling(of: bytes), expected = ReferenceJSON.spell(bytes)
            if parsed != expected {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            if parsed != nil { accepted += 1 }
        }
        #expect(accepted > caseCount(1_250) && accepted < caseCount(4_750))
    }

    @Test func aValueHoldsWhatItsCursorTells() throws {
        var compared = 0
        for seed in 0..<2_000 {
            var generator = JSONGenerator(seed: seed)
            let bytes = generator.document()
            guard let told = parsedSpelling(of: bytes) else { continue }
            let value = try bytes.withElements { try ECMAScript.parseJSON($0).withRoot { $0.value } }
            #expect(spelling(of: value) == told, "seed \(seed)")
            compared += 1
        }
        #expect(compared > 500)
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

    @Test(arguments: documents) func aTextWithAnyByteChangedIsReadAsTheReferenceReadsIt(text: String) {
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            for byte in UInt8.min...UInt8.max {
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
