import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct PopulationVisitorTests {
    @Test func everyMemberIsRead() throws {
        let visitor = try PopulationVisitor(
            json: """
                {"visitorId":"v-1","attributes":{"plan":"pro","visits":12},"locationProperties":{"path":"/"},\
                "stored":{"bucketing":{"9":"91"},"locations":["home"],"segments":{"country":"de"},"goals":{"g":true}}}
                """)
        #expect(visitor.visitorID == "v-1")
        #expect(visitor.attributes == ["plan": "pro", "visits": 12])
        #expect(visitor.locationProperties == ["path": "/"])
        #expect(visitor.stored.bucketing == ["9": "91"])
        #expect(visitor.stored.locations == ["home"])
        #expect(visitor.stored.segments == ["country": "de"])
        #expect(visitor.stored.goals == ["g": true])
    }

    @Test func onlyTheIDIsRequiredAndNullIsAbsent() throws {
        let expected = PopulationVisitor(visitorID: "v")
        #expect(try PopulationVisitor(json: #"{"visitorId":"v"}"#) == expected)
        #expect(
            try PopulationVisitor(json: #"{"stored":null,"locationProperties":null,"attributes":null,"visitorId":"v"}"#)
                == expected)
    }

    @Test func anEmptyLocationIsNotAMissingOne() throws {
        #expect(try PopulationVisitor(json: #"{"visitorId":"v","locationProperties":{}}"#).locationProperties == [:])
    }

    @Test(arguments: [
        ("123", "123"), ("-0", "0"), ("1.50", "1.5"), ("1e21", "1e+21"), ("0.0000001", "1e-7"),
        ("12345678901234567890", "12345678901234567000"), ("9007199254740993", "9007199254740992"),
        ("1e400", "Infinity"),
    ])
    func anIDThatIsANumberIsTheTextThatJavaScriptMakesOfIt(number: String, id: String) throws {
        #expect(try PopulationVisitor(json: #"{"visitorId":\#(number)}"#).visitorID == id)
    }

    static let refused: [(json: String, code: PopulationVisitorError.Code, description: String)] = [
        ("", .invalidSyntax, "$: the line is empty; expected a visitor."),
        ("{", .invalidSyntax, "$: not valid JSON at column 2: expected a member's name in double quotes or '}'."),
        (#"{"visitorId":"v"} x"#, .invalidSyntax, "$: not valid JSON at column 19: expected the end of the document."),
        ("[]", .wrongType, #"$: expected an object such as {"visitorId":"v-1"}."#),
        ("{}", .missingID, "$.visitorId: it is missing or empty; nothing is decided without a visitor's id."),
        (
            #"{"visitorId":""}"#, .missingID,
            "$.visitorId: it is missing or empty; nothing is decided without a visitor's id."
        ),
        (
            #"{"visitorId":true}"#, .wrongType, "$.visitorId: expected a text or a number; found another value."
        ),
        (
            #"{"visitorId":"v","attributes":[]}"#, .wrongType,
            "$.attributes: expected an object; found another value."
        ),
        (
            #"{"visitorId":"v","stored":"x"}"#, .wrongType,
            "$.stored: expected an object; found another value."
        ),
        (
            #"{"visitorId":"v","attribute":{}}"#, .unknownMember,
            "$: unknown member 'attribute'; did you mean 'attributes'?"
        ),
        (
            #"{"visitorId":"v","country":"de"}"#, .unknownMember,
            "$: unknown member 'country'; put properties of the visitor into 'attributes'."
        ),
        (
            #"{"visitorId":"v","attributes":{"a":"# + String(repeating: "[", count: 600), .tooLarge,
            "$: it is too large: at most 512 arrays and objects in one another are read."
        ),
    ]

    @Test(arguments: refused)
    func anInvalidVisitorIsRefusedWithItsPlace(
        json: String, code: PopulationVisitorError.Code, description: String
    ) {
        let error = #expect(throws: PopulationVisitorError.self) { try PopulationVisitor(json: json) }
        #expect(error?.code == code)
        #expect(error?.description == description)
    }

    @Test func aWrittenVisitorReadsAsTheSameVisitor() throws {
        let visitor = PopulationVisitor(
            visitorID: "π \"\n\u{1}",
            attributes: ["n": .number(-0.5), "big": .integer(.max), "inf": .number(.infinity)],
            locationProperties: [:], stored: VisitorState(record: ["bucketing": ["9": "91"], "locations": ["a"]]))
        #expect(!visitor.json.contains("\n"))
        #expect(try PopulationVisitor(json: visitor.json) == visitor)
        #expect(PopulationVisitor(visitorID: "v").json == #"{"visitorId":"v"}"#)
    }
}
