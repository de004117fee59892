@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertTestSupport
import Foundation
import Testing

/// Lines that are read fast against the same lines with an escape, which the parser of JSON reads.
struct PlainLogReaderTests {
    private static func config(_ share: Int) -> Data {
        func carrying(_ size: String) -> JSObject {
            let data: JSValue = ["feature_id": "7", "variables_data": ["size": .string(size)]]
            return ["changes": [["id": .string(size), "type": "fullStackFeature", "data": data]]]
        }
        let variations: JSValue = [
            .object(Configs.variation("1", "a", .integer(share), carrying("1"))),
            .object(Configs.variation("2", "b", .integer(100 - share), carrying("2"))),
        ]
        return Configs.data(
            Configs.config([
                "features": [["id": "7", "key": "g", "variables": [["key": "size", "type": "integer"]]]],
                "experiences": [
                    .object(Configs.experience("one", id: "10", ["version": 12, "variations": variations])),
                    .object(Configs.experience("two", id: "20", ["version": 12, "variations": variations])),
                ],
            ]))
    }

    private static let configs = [config(50), config(90)]

    private static func report(_ lines: [String], threads: Int = 1) throws -> String {
        var options = SampleRatioLog.Options()
        options.attribute = "plan"
        let input = InputInPieces(lines.joined(separator: "\n").utf8, mostBytes: 20_000)
        let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) }, options: options)
        let report = try test.run(threads: threads, read: input.read)
        return report.json + report.firstErrors.map { "\($0.record): \($0.error)\n" }.joined()
    }

    /// A line as its members come, with `more` at its end.
    private static func line(_ random: inout SplitMix64, _ digests: [String], more: String) -> String {
        func pick(_ texts: [String]) -> String { random.pick(texts) ?? "" }
        let variations = ["\"a\"", "\"a\"", "\"b\"", "\"b\"", "null", "\"gone\""]
        let (one, two) = (pick(variations), pick(variations))
        let sources = ["bucketed", "bucketed", "bucketed", "stored", "preview", "forced"]
        var decisions = #""decisions":{"one":\#(one),"two":\#(two)}"#
        var reasons = #""reasons":{"one":"\#(pick(sources))","two":"\#(pick(sources))"}"#
        switch random.below(30) {
        case 0: decisions = #""decisions":{"two":\#(two),"one":\#(one)}"#
        case 1: decisions = #""decisions":{"one":\#(one),"one":\#(two)}"#
        case 2: decisions = #""decisions":{}"#
        case 3: decisions = #""decisions":{"three":\#(one)}"#
        case 4: decisions = #""decisions":{"one":1}"#
        case 5: decisions = #""decisions" : { "one" : \#(one) }"#
        case 6: reasons = #""reasons":{"two":"stored","one":"bucketed"}"#
        case 7: reasons = #""reasons":{"one":null}"#
        case 8: reasons = #""reasons":{"one":"bucketed"}"#
        case 9: reasons = #""reasons":null"#
        case 10: reasons = #""reasons":{"one":"notBucketed","two":"audienceNotMatched"}"#
        default: break
        }
        let attributes = [
            #"{"plan":"pro","n":1.5,"list":[1,[true],{"x":{}}]}"#, #"{"plan":7}"#, #"{"plan":1.50}"#,
            #"{"plan":"pro","plan":"free"}"#,
            "{}", #"{"plan":{"a":1}}"#, "[]", #"{"plan":tru}"#, #"{"n":01}"#, #"{"plan":"free"}"#, #"{"plan":"free"}"#,
        ]
        var members = [
            #""visitorId":"\#("v\(random.below(400))")""#, #""attributes":\#(pick(attributes))"#,
            #""config":"\#(pick(digests))""#, decisions,
        ]
        if random.happens(80) { members.append(reasons) }
        let ends = ["Z", "Z", "Z", ".5Z", "+14:00", "-14:00", "", "x"]
        if random.happens(70) { members.append(#""time":"2026-11-0\#(1 + random.below(3))T10:00:00\#(pick(ends))""#) }
        let stored = [
            #"{"bucketing":{"10":"1"}}"#, #"{"bucketing":{"10":"1","20":"2"}}"#, #"{"bucketing":{"10":null}}"#,
            #"{"bucketing":{"10":"1","10":null},"segments":{"a":["b"]}}"#, #"{"bucketing":{"10":{}}}"#, "{}",
            #"{"segments":{}}"#, #"{"bucketing":{"10":"1"},"bucketing":{}}"#, #"{"bucketing":null}"#, "null",
        ]
        if random.happens(30) { members.append(#""stored":\#(pick(stored))"#) }
        if random.happens(30) {
            let entry = #"{"experience":"\#(pick(["one", "two"]))","variables":{"size":\#(1 + random.below(3))}}"#
            let answers = [#"{"f":null,"g":[{"a":1}]}"#, #"{"g":[\#(entry)]}"#, #"{"f":null,"g":[\#(entry)]}"#, "{}"]
            members.append(#""features":\#(pick(answers))"#)
        }
        if random.happens(30) { members.append(#""environment":"staging""#) }
        if random.happens(40) {
            members.append(
                #""call":"#
                    + pick([
                        #"{"each":true}"#, #"{"all":true}"#, #"{"forcedVariation":"a"}"#, #"{"id":true}"#,
                        #"{"features":true}"#, #"{"features":true,"castsTypes":false}"#, "{}",
                        #"{"feature":"g"}"#, #"{"feature":"g","experienceKeys":["two"]}"#,
                    ])
            )
        }
        if random.happens(10) { members.append(#""options":{"semantics":"javaScript"}"#) }
        switch random.below(40) {
        case 0: members.append(#""withheld":["plan"]"#)
        case 1: members.append(#""buckets":{"one":1}"#)
        case 2: members.append(#""locationProperties":{"path":"/"}"#)
        case 3: members.append(#""visitorId":"w""#)
        case 4: members.append(#""visitorID":"w""#)
        case 5: members.append(#""config":null"#)
        case 6: members[0] = #""visitorId":7"#
        case 7: members.removeFirst()
        case 8: members.append(#""time":7"#)
        case 9: members[2] = #""config":"""#
        case 10: members.remove(at: 3)
        default: break
        }
        if random.happens(20) { members.shuffle(using: &random) }
        let end = random.below(50) == 0 ? "" : "}"
        return "{" + members.joined(separator: ",") + more + end
    }

    @Test(arguments: 0..<10)
    func theySayTheSameAsTheParser(seed: UInt64) throws {
        let digests = try Self.configs.map { try #require(try DecisionReplay.Candidate(json: $0).revision) }
        let names = digests + digests + digests + ["00000000"]
        func lines(_ more: String) -> [String] {
            (0..<600).map { index in
                var random = SplitMix64(seed: seed, index: index)
                return Self.line(&random, names, more: more)
            }
        }
        // The escape is an attribute of the location, which nothing reads; without it the member is plain.
        // Both are as long, because errors name columns.
        let plain = try Self.report(lines(#","locationProperties":{"a":"bbbbbb"}"#))
        #expect(plain == (try Self.report(lines(#","locationProperties":{"a":"\u0062"}"#))), "seed \(seed)")
        #expect(plain.contains(#""visitors""#))
    }

    /// Reads two lines of one kind, of which the first one is left to the parser.
    ///
    /// - Returns: the second one, with its decisions; `nil` if it is left to the parser, too.
    private static func second(_ members: String) throws -> (line: LogRatioPart.Line, part: LogRatioPart)? {
        let candidate = try DecisionReplay.Candidate(json: configs[0])
        let allocations = LogAllocations([candidate.config])
        let digest = try #require(candidate.revision)
        var reader = PlainLogReader(attribute: "plan")
        var part = LogRatioPart()
        for id in ["v1", "v2"] {
            let text = #"{"visitorId":"\#(id)","config":"\#(digest)",\#(members)}"#
            try Array(text.utf8).withElements { bytes in
                guard !reader.read(bytes, into: &part) else { return }
                let logged = try LoggedDecisions(json: bytes)
                reader.learn(logged, 0, allocations.table(of: 0, for: logged))
            }
        }
        return part.lines.last.map { ($0, part) }
    }

    @Test func plainLinesAreNotLeftToTheParser() throws {
        let (line, part) = try #require(
            try Self.second(
                #""time":"2026-11-27T10:00:00Z","attributes":{"plan":"pro","n":1},"environment":"staging","#
                    + #""call":{"all":true},"decisions":{"one":"a","two":null},"reasons":{"one":"bucketed","two":"archived"}"#
            ))
        #expect(part.lines.count == 1 && part.visitorID(of: line) == "v2")
        #expect(line.day == "2026-11-27" && part.time(of: line) == "2026-11-27T10:00:00Z" && line.segment == "pro")
        #expect(part.decisions.map(\.outcome) == [.dealt, .ineligible] && part.decisions[0].arm == 0)
    }

    @Test func storedDecisionsAreNotLeftToTheParser() throws {
        let (_, part) = try #require(
            try Self.second(
                #""stored":{"bucketing":{"20":"2"},"segments":{"a":"b"}},"decisions":{"one":"a","two":"b"}"#))
        #expect(part.decisions.map(\.outcome) == [.dealt, .stored])
    }

    @Test func featuresAreNotLeftToTheParser() throws {
        let (_, part) = try #require(
            try Self.second(
                #""call":{"features":true},"features":{"f":null,"g":[{"experience":"one","variables":{"size":2}}]}"#))
        // The answer has nothing of the other experience that carries the feature.
        #expect(part.decisions.map(\.outcome) == [.dealt, .none])
        #expect(part.decisions[0].arm == 1)
    }
}
