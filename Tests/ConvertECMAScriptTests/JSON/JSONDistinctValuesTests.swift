import ConvertECMAScript
import Testing

struct JSONDistinctValuesTests {
    /// The numbers of the elements of `text`.
    private func numbers(_ text: String) throws -> [Int] {
        try ECMAScript.parseJSON(text).withRoot { root in
            var values = JSONDistinctValues()
            return root.elements.map { values.number(of: $0) }
        }
    }

    @Test func valuesOfTheSameContentsHaveOneNumber() throws {
        let objects = #"[{"a":[1,"x",{}]},{ "\u0061" : [1.0, "\u0078", { }] },{"a":[1e0,"x",{}]}]"#
        #expect(try numbers(objects) == [0, 0, 0])
        #expect(try numbers("[null,null,true,true,[],[],{},{},-1.5,-1.5,null]") == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0])
    }

    @Test(arguments: [
        (#"1"#, #""1""#), ("1", "1.5"), ("0", "-0"), ("{}", "[]"), ("null", "false"), ("true", "false"), ("0", "false"),
        (#""""#, "null"), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), ("[[1],2]", "[[1,2]]"),
        ("[[],[]]", "[[[]]]"), (#""\ud800""#, #""\ufffd""#), (#""\ud800""#, #""\ud801""#),
        (#"["ab","c"]"#, #"["a","bc"]"#),
        (#"{"a":"b"}"#, #"["b"]"#), (#"{"é":1}"#, #"{"e\u0301":1}"#), (#"[{"a":1},2]"#, #"[{"a":1,"b":2}]"#),
    ])
    func valuesThatDifferHaveNumbersOfTheirOwn(one: String, other: String) throws {
        #expect(try numbers("[\(one),\(other),\(one),\(other)]") == [0, 1, 0, 1])
    }

    @Test func valuesWithOneNumberAreEqual() throws {
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
                var values = JSONDistinctValues()
                var spellings: [String] = []
                for element in root.elements.flatMap({ [$0] + Array($0.descendants) }) {
                    let number = values.number(of: element)
                    let expected = spelling(of: element.value)
                    if number == spellings.count { spellings.append(expected) }
                    #expect(spellings[number] == expected, "seed \(seed)")
                    compared += 1
                }
            }
        }
        #expect(compared > 5_000)
    }
}
