import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import ConvertTestSupport
import Testing

/// Hostile requests get a clear status, at bounded cost.
struct BadInputTests {
    private static let flag = "/ofrep/v1/evaluate/flags/rollout"

    private static func body(_ member: String) -> [UInt8] {
        Array(#"{"context":{"targetingKey":"v",\#(member)}}"#.utf8)
    }

    @Test func aBodyMayBeAsLongAsTheLimit() async throws {
        let flags = try Flags()
        let frame = Self.body(#""a":"""#).count
        let longest = Self.body(#""a":"\#(String(repeating: "x", count: 262_144 - frame))""#)
        #expect(longest.count == 262_144)
        #expect(try await flags.send("POST", Self.flag, [], longest).status == 200)
        let longer = try await flags.send("POST", Self.flag, [], longest + [0x20])
        #expect(longer.status == 413)
        #expect(longer["errorDetails"] != nil)
        #expect(try await flags.send("POST", Self.flag, [], Array(repeating: 0x5b, count: 10_000_000)).status == 413)
    }

    @Test func aBodyMayNestAsDeepAsTheLimit() async throws {
        let flags = try Flags()
        func nested(_ depth: Int) -> [UInt8] {
            Self.body(#""a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        // Two levels are the body's and the context's own.
        #expect(try await flags.send("POST", Self.flag, [], nested(30)).status == 200)
        for depth in [31, 100_000] {
            let answer = try await flags.send("POST", Self.flag, [], nested(depth))
            #expect(answer.status == 400)
            #expect(answer.text("errorCode") == "PARSE_ERROR")
        }
    }

    @Test func aBodyMayHoldAsManyValuesAsTheLimit() async throws {
        let flags = try Flags()
        func list(_ count: Int) -> [UInt8] {
            Self.body(#""a":[\#(Array(repeating: "1", count: count).joined(separator: ","))]"#)
        }
        // Four values are the body, the context, the visitor's id and the list.
        #expect(try await flags.send("POST", Self.flag, [], list(9_996)).status == 200)
        #expect(try await flags.send("POST", Self.flag, [], list(9_997)).status == 400)
    }

    @Test(
        arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]] as [[UInt8]])
    func bytesThatAreNotUTF8AreRefused(bytes: [UInt8]) async throws {
        let body = Array(#"{"context":{"targetingKey":""#.utf8) + bytes + Array(#""}}"#.utf8)
        let answer = try await Flags().send("POST", Self.flag, [], body)
        #expect(answer.status == 400)
        #expect(answer.text("errorCode") == "PARSE_ERROR")
    }

    @Test func aKeyAndAVisitorsIDMayBeAsLongAsTheLimit() async throws {
        let flags = try Flags()
        for (length, status) in [(1_024, 404), (1_025, 414)] {
            let key = String(repeating: "k", count: length)
            #expect(try await flags.evaluate(key, "v").status == status)
            #expect(try await flags.send("POST", "/convert/v1/track/" + key, [], Self.body(#""a":1"#)).status == status)
        }
        for (length, status) in [(1_024, 200), (1_025, 400)] {
            let answer = try await flags.evaluate("rollout", String(repeating: "v", count: length))
            #expect(answer.status == status)
        }
        #expect(try await flags.send("POST", "/" + String(repeating: "a", count: 4_096)).status == 414)
    }

    @Test func headersMayBeAsManyAndAsLongAsTheLimits() async throws {
        let flags = try Flags()
        func status(_ count: Int, _ length: Int) async throws -> Int {
            let headers = (0..<count).map { (name: "x\($0)", value: String(repeating: "v", count: length)) }
            return try await flags.post("/rollout", Flags.context("v"), headers: headers).status
        }
        #expect(try await status(100, 1) == 200)
        #expect(try await status(101, 1) == 431)
        #expect(try await status(1, 16_382) == 200)
        #expect(try await status(1, 16_383) == 431)
    }

    @Test func textOfARequestIsEchoedAsJSONWhateverItHolds() async throws {
        let answer = try await Flags().evaluate("%22%0D%0Aset-cookie:%20a%3Db%00%E2%80%A8", "v")
        #expect(answer.status == 404)
        #expect(answer.text("key") == "\"\r\nset-cookie: a=b\0\u{2028}")
        #expect(answer["errorDetails"]?.stringValue?.contains("\n") == false)
    }

    @Test func anyRequestGetsAStatusOfTheProtocol() async throws {
        let flags = try Flags()
        var generator = SeededGenerator(seed: 7)
        let seeds = [
            #"{"context":{"targetingKey":"visitor-1","location":{"path":"/checkout"},"n":[1.5e3,null]}}"#,
            #"{"context":{"targetingKey":"\ud83d\ude00","convertExposure":false,"convertPreview":"1.2"}}"#,
        ]
        let paths = [Self.flag, "/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/form.limit?a=%20&since=", "/"]
        for _ in 0..<3_000 {
            var body = Array((seeds.randomElement(using: &generator) ?? "").utf8)
            var path = Array((paths.randomElement(using: &generator) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                body[Int.random(in: body.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                if Bool.random(using: &generator) { body.removeLast(min(body.count - 1, 3)) }
            }
            if Bool.random(using: &generator) {
                path[Int.random(in: path.indices, using: &generator)] = UInt8.random(in: 0x20...0x7e, using: &generator)
            }
            let answer = try await flags.send("POST", String(decoding: path, as: UTF8.self), [], body)
            #expect([200, 400, 404, 405].contains(answer.status))
        }
    }
}
