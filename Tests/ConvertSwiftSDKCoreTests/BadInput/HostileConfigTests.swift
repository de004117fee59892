import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

struct HostileConfigTests {
    private static let demo = #"{"account_id": "1", "project": {"id": "2"}, "experiences": [{"id": "e"}]}"#

    @Test func aConfigCutOffAnywhereIsRefused() {
        let bytes = Data(Self.demo.utf8)
        for length in 0..<bytes.count {
            let error = #expect(throws: ConfigError.self) { try ProjectConfig(json: bytes.prefix(length)) }
            #expect(error?.code == .invalidJSON, "after \(length) bytes")
        }
    }

    @Test(
        arguments: [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]
            as [[UInt8]])
    func bytesThatAreNotUTF8AreRefused(bytes: [UInt8]) {
        let json = Data(#"{"account_id": "1", "project": {"id": "2"}, "name": ""#.utf8) + bytes + Data(#""}"#.utf8)
        let error = #expect(throws: ConfigError.self) { try ProjectConfig(json: json) }
        #expect(error?.code == .invalidJSON)
    }

    @Test(arguments: [#"{"OR":["#, #"{"OR":[{"AND":["#, "[", #"{"a":"#])
    func nestingOfAHundredThousandIsRefused(opening: String) {
        let rules = String(repeating: opening, count: 100_000)
        let json =
            #"{"account_id": "1", "project": {"id": "2"}, "audiences": [{"id": "a", "rules": "# + rules
        let error = #expect(throws: ConfigError.self) { try ProjectConfig(json: Data(json.utf8)) }
        #expect(error?.code == .invalidJSON)
    }

    @Test func nestingThatIsClosedAgainIsRefusedToo() {
        let depth = 100_000
        let rules = String(repeating: #"{"OR":["#, count: depth) + String(repeating: "]}", count: depth)
        let json = #"{"account_id": "1", "project": {"id": "2"}, "site_area": \#(rules)}"#
        let error = #expect(throws: ConfigError.self) { try ProjectConfig(json: Data(json.utf8)) }
        #expect(error?.code == .invalidJSON)
    }

    /// Ten megabytes; fifty with CONVERT_CASES=2.
    @Test func aLargeConfigIsDecidedOn() throws {
        let count = inputSize(10_000, plain: 2_000)
        let name = String(repeating: "n", count: 4_500)
        let audiences = (0..<count).map { index in
            #"{"id": "\#(index)", "name": "\#(name)", "rules": {"OR": [{"AND": [{"OR_WHEN": [{"key": "k\#(index)", "#
                + #""value": "yes", "matching": {"match_type": "equals", "negated": false}}]}]}]}}"#
        }
        let experience = #"{"id": "e", "key": "e", "audiences": ["0", "\#(count - 1)"], "variations": [{"id": "v"}]}"#
        let json = Data(
            (#"{"account_id": "1", "project": {"id": "2"}, "experiences": [\#(experience)], "audiences": ["#
                + audiences.joined(separator: ",") + "]}").utf8)
        #expect(json.count > 4_500 * count)
        let manager = ExperienceManager(project: Project(try ProjectConfig(json: json)))
        #expect(manager.decide("e", ["k\(count - 2)": "yes"]).reason == .audienceNotMatched)
        #expect(manager.decide("e", ["k\(count - 1)": "yes"]).variation != nil)
    }

    @Test func theLastOfTwoMembersWithOneNameCounts() throws {
        let json = #"{"account_id": "1", "account_id": "9", "project": {"id": "2"}}"#
        #expect(try ProjectConfig(json: Data(json.utf8)).accountID == "9")
    }

    @Test func aConfigOfTooManyValuesIsRefused() {
        let values = String(repeating: "[],", count: 4_000_000)
        let json = #"{"account_id": "1", "project": {"id": "2"}, "experiences": [\#(values)0]}"#
        let error = #expect(throws: ConfigError.self) { try ProjectConfig(json: Data(json.utf8)) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("4000000 values") == true)
    }

    /// Values as deep as a config may have them, on a thread with as little stack as they come.
    @Test func aDeepConfigNeedsLittleStack() async throws {
        // Around it are the config, its lists, the experience, its lists, the variation, its list, the change and its
        // data.
        let deep = (0..<500).reduce("x" as JSValue) { value, level in level % 2 == 0 ? [value] : ["a": value] }
        let members: JSObject = [
            "features": [feature("7", "f", ["x": "string", "y": "json"])],
            "experiences": [carrier("e", of: ["7"], ["x": deep, "y": deep], ["environment": deep, "key": deep])],
            "audiences": [["id": "a", "rules": rules([leaf("k", "equals", deep), leaf("k", "isIn", deep)])]],
        ]
        var document: JSObject = ["account_id": "1", "project": ["id": "2"]]
        for member in members { document[member.key] = member.value }
        let json = Data(ECMAScript.jsonText(of: .object(document)).utf8)
        let counts = await withCheckedContinuation { continuation in
            let thread = Thread {
                let config = try? ProjectConfig(json: json)
                let project = config.map { Project($0) }
                continuation.resume(returning: [config?.experiences.count, project?.diagnostics.count])
            }
            thread.stackSize = 128 * 1024
            thread.start()
        }
        #expect(counts == [1, 0])
    }

    @Test func aListOfManyMalformedEntitiesIsRead() throws {
        let audiences = JSValue.array((0..<20_000).map { ["id": .integer($0)] })
        let config = try config(["audiences": audiences])
        #expect(config.audiences.count == 20_000)
        #expect(config.diagnostics.count == 200)
    }
}
