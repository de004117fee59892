import ConvertECMAScript
import Testing

struct JSONMemoTests {
    /// How many of the elements of `text` something is made of.
    private func madeCount(_ text: String) throws -> Int {
        try ECMAScript.parseJSON(text).withRoot { root in
            var memo = JSONMemo<Int>()
            var count = 0
            for element in root.elements {
                _ = memo.made(of: element) { _ in
                    count += 1
                    return count
                }
            }
            return count
        }
    }

    @Test func aValueIsMadeOnceOfTheSameContents() throws {
        #expect(try madeCount(#"[{"a":[1,"x",{}]},{ "\u0061" : [1.0, "\u0078", { }] },{"a":[1e0,"x",{}]}]"#) == 1)
        #expect(try madeCount("[null,null,true,true,[],[],{},{},-1.5,-1.5]") == 5)
    }

    @Test(arguments: [
        (#"1"#, #""1""#), ("1", "1.5"), ("0", "-0"), ("{}", "[]"), ("null", "false"), ("true", "false"), ("0", "false"),
        (#""""#, "null"), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), ("[[1],2]", "[[1,2]]"),
        ("[[],[]]", "[[[]]]"), (#""\ud800""#, #""\ufffd""#), (#""\ud800""#, #""\ud801""#),
        (#"["ab","c"]"#, #"["a","bc"]"#),
        (#"{"a":"b"}"#, #"["b"]"#), (#"{"é":1}"#, #"{"e\u0301":1}"#), (#"[{"a":1},2]"#, #"[{"a":1,"b":2}]"#),
    ])
    func ofValuesThatDifferEachIsMade(one: String, other: String) throws {
        #expect(try madeCount("[\(one),\(other),\(one),\(other)]") == 2)
    }

    @Test func whatIsMadeOfAValueIsRightWhateverWasMadeBefore() throws {
        var compared = 0
        for seed in 0..<400 {
            var generator = JSONGenerator(seed: seed)
            var documents: [String] = []
            while documents.count < 6 {
                let bytes = generator.document()
                if parsedSpelling(of: bytes) != nil { documents.append(String(decoding: bytes, as: UTF8.self)) }
            }
            let text = "[" + (documents + documents).joined(separator: ",") + "]"
            try ECMAScript.parseJSON(text).withRoot { root in
                var memo = JSONMemo<JSValue>()
                for element in root.elements.flatMap({ [$0] + Array($0.descendants) }) {
                    let made = memo.made(of: element) { $0.value }
                    #expect(spelling(of: made) == spelling(of: element.value), "seed \(seed)")
                    compared += 1
                }
            }
        }
        #expect(compared > 5_000)
    }
}
