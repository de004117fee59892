import ConvertECMAScript
import ConvertTestSupport
import Testing

struct JSONDocumentTests {
    private func value(_ text: String) throws -> JSValue { try ECMAScript.parseJSON(text).withRoot { $0.value } }

    private func names(_ text: String) throws -> [String] {
        try ECMAScript.parseJSON(text).withRoot { $0.members.compactMap { $0.name?.name } }
    }

    @Test func theLastOfTwoMembersCountsInTheFirstOnesPlace() throws {
        let value = try value(#"{"a":1,"b":{"a":5},"\u0061":2,"a":3}"#)
        #expect(value.objectValue?.map(\.key.name) == ["a", "b"])
        #expect(value == ["a": 3, "b": ["a": 5]])
    }

    @Test func namesThatAreCanonicallyEquivalentStayApart() throws {
        #expect(try value(#"{"é":1,"e\u0301":2}"#).objectValue?.count == 2)
    }

    @Test func arrayIndexesComeFirstAndAscend() throws {
        let text = #"{"b":0,"10":0,"9":0,"01":0,"4294967295":0,"4294967294":0,"-1":0,"0":0,"a":0}"#
        #expect(try names(text) == ["0", "9", "10", "4294967294", "b", "01", "4294967295", "-1", "a"])
    }

    @Test func manyNamesKeepTheirPlacesAndTheirLastValues() throws {
        let members = (0..<1_000).map { #""n\#($0 % 300)":\#($0)"# }.joined(separator: ",")
        try ECMAScript.parseJSON("{\(members)}").withRoot { object in
            #expect(object.members.map { $0.name?.name } == (0..<300).map { "n\($0)" })
            #expect(object["n0"]?.integer == 900)
            #expect(object["n99"]?.integer == 999)
            #expect(object["n100"]?.integer == 700)
            #expect(object["n300"] == nil)
        }
    }

    @Test(arguments: [
        #""a\ud800b\udc00""#, #""\ud83d😀""#, #""\ude00\ud83d""#, #"{"\ud800":1,"\udbff":2,"�":3}"#,
        #"{"a\"\\\n\ud800":["\udfff"]}"#, #""\ud800\\ud800""#,
    ])
    func aLoneSurrogateIsReadAndWrittenAsItIs(json: String) throws {
        #expect(ECMAScript.jsonText(of: try value(json)) == json)
    }

    @Test func theLastOfTwoNamesWithOneLoneSurrogateCounts() throws {
        let value = try value(#"{"\ud800":1,"\udbff":2,"\ud800":3}"#)
        #expect(ECMAScript.jsonText(of: value) == #"{"\ud800":3,"\udbff":2}"#)
    }

    @Test func aNameIsNotRecognizedByTheBytesOfItsEscapes() throws {
        // The first name is a backslash and a b, the second one a backspace spelled with the same bytes.
        try ECMAScript.parseJSON(#"[{"a\\b":1},{"a\b":1}]"#).withRoot { root in
            #expect(root.elements.map { $0.members.compactMap { $0.name?.name } } == [[#"a\b"#], ["a\u{8}"]])
        }
    }

    static let numbers: [(text: String, value: JSValue)] = [
        ("9007199254740993", .integer(9_007_199_254_740_993)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(0x1p63)), ("1.0", .integer(1)),
        ("1e2", .integer(100)), ("12.50", .number(12.5)), ("-0", .number(-0.0)), ("-0.0", .number(-0.0)),
        ("0.1", .number(0.1)), ("1e400", .number(.infinity)), ("-1e400", .number(-.infinity)), ("1e-400", .integer(0)),
        ("1e99999999999999999999", .number(.infinity)), ("0e99999999999999999999", .integer(0)),
    ]

    @Test(arguments: numbers) func aNumberIsExactOrTheNearestDouble(text: String, value: JSValue) throws {
        try ECMAScript.parseJSON(text).withRoot { cursor in
            #expect("\(cursor.value)" == "\(value)")
            #expect(cursor.number == value.numberValue)
            if case .integer(let integer) = value {
                #expect(cursor.integer == Int64(integer))
            } else {
                #expect(cursor.integer == nil)
            }
        }
    }

    @Test func aByteOrderMarkIsSkippedOnceInBytesAndRefusedInText() throws {
        #expect(parsedSpelling(of: Array("\u{feff}[]".utf8)) == "[]")
        #expect(parsedSpelling(of: Array("\u{feff}\u{feff}[]".utf8)) == nil)
        #expect(throws: JSONSyntaxError.self) { try value("\u{feff}[]") }
    }

    @Test func aCursorKnowsItsKind() throws {
        try ECMAScript.parseJSON(#"[null,true,1,"a",[1],{"a":1}]"#).withRoot { root in
            #expect(root.elements.map(\.kind) == [.null, .bool, .number, .text, .array, .object])
            #expect(root.elements.map(\.count) == [0, 0, 0, 0, 1, 1])
            #expect(root.elements.map(\.isNull) == [true, false, false, false, false, false])
            #expect(root.elements.map(\.bool) == [nil, true, nil, nil, nil, nil])
            #expect(root.elements.map(\.text) == [nil, nil, nil, "a", nil, nil])
            #expect(root.elements.map { $0.isText("a") } == [false, false, false, true, false, false])
            #expect(root.elements.map { $0["a"]?.integer } == [nil, nil, nil, nil, nil, 1])
            #expect(root.members.map(\.kind) == [])
        }
    }

    @Test func aMemberIsFoundByItsNumberInTheVocabulary() throws {
        let vocabulary = JSONVocabulary(["id", "a long name of some words", ""])
        let text = #"{"other":0,"a long name of some words":1,"":2,"id":3,"id":4}"#
        try ECMAScript.parseJSON(text, vocabulary: vocabulary).withRoot { object in
            #expect((0..<3).map { object.member($0)?.integer } == [4, 1, 2])
            #expect(object.members.map(\.nameNumber).dropFirst() == [1, 2, 0])
            #expect(object.member(3)?.integer == 0)
            #expect(object.member(4) == nil)
        }
        try ECMAScript.parseJSON(#"{"\u0069d":5,"i\u0064":6}"#, vocabulary: vocabulary).withRoot { object in
            #expect(object.member(0)?.integer == 6)
            #expect(object.count == 1)
        }
    }

    @Test func membersAreFoundInWhateverOrderTheyAreAskedFor() throws {
        let vocabulary = JSONVocabulary(["a", "b", "c", "d"])
        let text = #"[{"a":1,"b":{"a":[],"c":2,"b":3},"d":4},{"d":5,"c":{"d":{"d":6}}},{},[{"a":7}]]"#
        var generator = SeededGenerator(seed: 1)
        try ECMAScript.parseJSON(text, vocabulary: vocabulary).withRoot { root in
            let cursors = Array(root.descendants)
            for _ in 0..<5_000 {
                let cursor = cursors[Int.random(in: cursors.indices, using: &generator)]
                let name = UInt32.random(in: 0..<4, using: &generator)
                let expected = cursor.members.first { $0.nameNumber == name }
                let found = cursor.member(name)
                #expect((found == nil) == (expected == nil))
                #expect(found?.value == expected?.value)
            }
        }
    }

    static let odd: [JSValue] = [
        .number(.infinity), [.number(-.infinity), 1], ["a": .number(-0.0)], .integer(9_007_199_254_740_993), 1e21,
    ]

    @Test(arguments: odd) func aNumberThatIsKeptReadsTheSame(value: JSValue) throws {
        let text = ECMAScript.jsonText(keepingNumbersOf: value)
        #expect("\(try self.value(text))" == "\(value)")
    }

    /// Short texts are stored in place, those of a common length share their storage, long ones are made each time.
    @Test func textsOfEveryLengthAreReadEachTime() throws {
        let texts = (0...80).flatMap { length in
            ["a", "b", "é"].map { String(repeating: $0, count: length) }
        }
        let elements = (texts + texts).map { "\"\($0)\"" }.joined(separator: ",")
        try ECMAScript.parseJSON("[\(elements)]").withRoot { root in
            #expect(root.elements.compactMap(\.text).elementsEqual(texts + texts))
        }
    }

    @Test func aNumberBeyondTheRangeOfADoubleIsFound() throws {
        try ECMAScript.parseJSON(#"{"a":[1.5,{"b":-1e400}],"c":1e400}"#).withRoot { root in
            #expect(root.firstInfiniteNumber?.number == -.infinity)
            #expect(root["c"]?.firstInfiniteNumber?.number == .infinity)
            let first = root["a"]?.elements.first { _ in true }
            #expect(first?.firstInfiniteNumber == nil)
        }
    }

    @Test func aNameThatTwoMembersHaveIsFound() throws {
        func name(_ json: String) throws -> String? {
            try ECMAScript.parseJSON(json).withRoot { $0.firstRepeatedName?.name }
        }
        #expect(try name(#"{"a":{"b":1,"c":[1]},"d":2,"a":[{"e":0}],"d":3}"#) == "a")
        #expect(try name(#"{"2":0,"1":{"1":0},"\u0032":0}"#) == "2")
        // Those of what it holds are not asked about.
        #expect(try name(#"{"a":{"b":1,"b":2},"c":{"b":1}}"#) == nil)
        #expect(try name("[1,1]") == nil && name("{}") == nil)
    }

    @Test func aNumberInAMemberThatDoesNotCountIsNotFound() throws {
        try ECMAScript.parseJSON(#"{"a":{"b":1e400,"b":1},"c":[{"1":1e400,"0":-1e400}]}"#).withRoot { root in
            #expect(root["a"]?.firstInfiniteNumber == nil)
            #expect(root.firstInfiniteNumber?.number == -.infinity)
        }
    }

    @Test func descendantsComeInJavaScriptsOrder() throws {
        try ECMAScript.parseJSON(#"[1,{"b":[2,{}],"1":3,"b":[4,[5],6]},7]"#).withRoot { root in
            #expect(root.descendants.map(\.kind).prefix(4) == [.array, .number, .object, .number])
            #expect(root.descendants.compactMap(\.integer) == [1, 3, 4, 5, 6, 7])
        }
        try ECMAScript.parseJSON("5").withRoot { #expect($0.descendants.map(\.integer) == [5]) }
    }

    static let paths = [
        (#"{"é_1-x$":0}"#, "$.é_1-x$"), (#"{"a.b":0}"#, #"$["a.b"]"#), (#"{"l[*]":0}"#, #"$["l[*]"]"#),
        (#"{"":0}"#, #"$[""]"#), (#"{"a\nb\"":0}"#, #"$["a\nb\""]"#),
        ("{\"\(String(repeating: "n", count: 41))\":0}", "$." + String(repeating: "n", count: 40) + "…"),
    ]

    @Test(arguments: paths) func aPathTellsNamesFromItsOwnSigns(text: String, path: String) throws {
        try ECMAScript.parseJSON(text).withRoot { root in
            var finder = JSONPathFinder()
            let member = try #require(Array(root.members).first)
            #expect(finder.path(of: member) == path)
        }
    }

    @Test func aPathNamesEveryStep() throws {
        let text = #"{"a":[1,{"b":[[],{"c":null}]},2],"d":{"e":3}}"#
        try ECMAScript.parseJSON(text).withRoot { root in
            var finder = JSONPathFinder()
            #expect(finder.path(of: root) == "$")
            let list = try #require(root["a"])
            let inner = try #require(Array(list.elements)[1]["b"])
            #expect(finder.path(of: list) == "$.a")
            #expect(finder.path(of: try #require(Array(inner.elements)[1]["c"])) == "$.a[1].b[1].c")
            #expect(finder.path(of: try #require(root["d"]?["e"])) == "$.d.e")
            // Going back costs time, no truth.
            #expect(finder.path(of: inner) == "$.a[1].b")
        }
    }
}
