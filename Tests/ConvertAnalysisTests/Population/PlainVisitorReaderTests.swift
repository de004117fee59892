import ConvertECMAScript
import ConvertTestSupport
import Testing

@testable import ConvertAnalysis

struct PlainVisitorReaderTests {
    private func parsed(_ line: String) -> PopulationVisitor? { try? PopulationVisitor(json: line) }

    private func read(_ line: String, by reader: inout PlainVisitorReader) -> PopulationVisitor? {
        Array(line.utf8).withElements { reader.visitor($0) }
    }

    @Test func thePlainReaderAgreesWithTheParser() throws {
        var random = SeededGenerator(seed: 3)
        var reader = PlainVisitorReader()
        let values = [
            "1", "0", "-7", "0.1", "72.51", "-1.000001", "123456789.012345", "999999999999999", "\"\"", "\"a b\"",
            "true", "false", "null",
            "\"" + String(repeating: "x", count: 40) + "\"",
        ]
        // As likely as not one of these makes a line that is not plain.
        let others = [
            "1.50", "2.0", "-0.5", "1.", ".5", "1.5e3", "0.0", "1234567890.123456", "-0", "01", "1e3",
            "1234567890123456", "\"\\n\"", "\"ü\"", "[1]", "{}", "tru", "nulll", "\"a", "- 1",
            "",
        ]
        let (ids, otherIDs) = (["\"v1\"", "17", "0", "-7"], ["1.5", "1e3", "true", "1234567890123456"])
        let names = (0..<12).map { "name\($0)" } + ["a", "b c", "plan", "visitorId"]
        func object(_ random: inout SeededGenerator) -> String {
            let members = (0..<random.int(0...10)).map { _ in
                let name =
                    random.happens(97) ? random.pick(names) : random.pick(["7", "é", "\\u0061", "__proto__", ""])
                return "\"\(name)\"" + random.pick([":", " : "]) + random.pick(random.happens(95) ? values : others)
            }
            return "{" + members.joined(separator: random.pick([",", ", ", "\t,"])) + "}"
        }
        var plainCount = 0
        for _ in 0..<caseCount(3000) {
            var members = [
                #""visitorId":"# + random.pick(random.happens(95) ? ids : otherIDs),
                #""attributes":"# + object(&random), #""locationProperties": "# + object(&random),
            ]
            if random.happens(10) {
                members.append(random.pick([#""stored":{}"#, #""visitorId":"v2""#, #""attributes":{}"#, ""]))
            }
            if random.happens(30) { members.shuffle(using: &random) }
            if random.happens(10) { members.removeLast() }
            var line = "{" + members.joined(separator: ",") + "}"
            if random.happens(10) { line += random.pick([" ", "}", ",", "x", "\r"]) }
            if random.happens(5) { line = String(line.dropLast(random.int(1...9))) }
            guard let visitor = read(line, by: &reader) else { continue }
            plainCount += 1
            let expected = parsed(line)
            #expect(visitor == expected && visitor.json == expected?.json, "\(line)")
        }
        #expect(plainCount > caseCount(3000) / 10)
    }

    @Test func ordinaryLinesArePlain() {
        var reader = PlainVisitorReader()
        for line in [
            #"{"visitorId":"v1"}"#, #"{"visitorId": "v1", "attributes": {}}"#, #"{"visitorId":17}"#,
            #"{"attributes":{"plan":"pro","visits":3,"isNew":true,"referrer":null},"visitorId":"v1"}"#,
            #"{"visitorId":"v1","attributes":{"visits":3,"plan":"pro"},"locationProperties":{"path":"/"}}"#,
        ] {
            #expect(read(line, by: &reader) == parsed(line), "\(line)")
        }
    }

    @Test func moreNamesThanItKeepsAreLeftToTheParser() {
        var reader = PlainVisitorReader()
        let many = (0..<300).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
        #expect(read(#"{"visitorId":"v","attributes":{\#(many)}}"#, by: &reader) == nil)
        #expect(read(#"{"visitorId":"v","attributes":{"n1":5}}"#, by: &reader)?.attributes == ["n1": 5])
        #expect(read(#"{"visitorId":"v","attributes":{"plan":5}}"#, by: &reader) == nil)
    }
}
