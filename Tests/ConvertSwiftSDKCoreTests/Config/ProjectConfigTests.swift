import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

struct ProjectConfigTests {
    private func decode(_ json: String) throws -> ProjectConfig { try ProjectConfig(json: Data(json.utf8)) }

    @Test func aConfigIsReadFromAValueAsFromItsText() throws {
        let value: JSValue = ["account_id": "1", "project": ["id": "2"], "experiences": [["id": "e"], 5]]
        let config = try ProjectConfig(value)
        #expect(config.experiences.map(\.id) == ["e"])
        #expect(config.diagnostics.map(\.path) == ["$.experiences[1]"])
        #expect(throws: ConfigError.self) { try ProjectConfig(["account_id": "1"]) }
    }

    @Test func numbersThatOnlyTextCanSpellAreReadFromAValueAsFromItsText() throws {
        let text =
            #"{"account_id":"1","project":{"id":"2"},"experiences":[{"id":"e","version":1e400,"variations":"#
            + #"[{"id":"v","traffic_allocation":1e400},{"id":"w","traffic_allocation":-0}]}]}"#
        let value = try JSValue(json: Data(text.utf8))
        for config in [try decode(text), try ProjectConfig(value)] {
            #expect(config.experiences[0].version == .infinity)
            let allocations = config.experiences[0].variations.compactMap { $0.trafficAllocation?.numberValue }
            #expect(allocations.map(\.bitPattern) == [Double.infinity.bitPattern, (-0.0).bitPattern])
        }
        let experience = value.objectValue?["experiences"]?.arrayValue?.first
        #expect(experience.flatMap { ProjectConfig.Experience($0) }?.version == .infinity)
    }

    @Test(arguments: [(ConfigLimits.depth, true), (ConfigLimits.depth + 1, false)])
    func jsonIsReadDownToTheLimit(depth: Int, isRead: Bool) {
        let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(((try? JSValue(json: Data(json.utf8))) != nil) == isRead)
    }

    @Test func theSmallestConfigHasAnAccountAndAProject() throws {
        let config = try decode(#"{"account_id": "1", "project": {"id": "2"}}"#)
        #expect(config.accountID == "1")
        #expect(config.project.id == "2")
        #expect(config.experiences.isEmpty)
        #expect(config.diagnostics.isEmpty)
    }

    @Test func idsMayBeNumbers() throws {
        let config = try decode(#"{"account_id": 10, "project": {"id": 1e2}}"#)
        #expect(config.accountID.text == "10")
        #expect(config.project.id.text == "100")
        #expect(config.project.id.kind == .number)
    }

    @Test func theProjectsMembersAreRead() throws {
        let project = try config([
            "project": [
                "id": "2", "name": "Shop", "type": "fullstack", "environments": ["live": "Live"],
                "settings": ["debug": true],
            ]
        ]).project
        #expect(project.name == "Shop")
        #expect(project.type == "fullstack")
        #expect(project.environments == ["live": "Live"])
        #expect(project.settings == ["debug": true])
    }

    @Test func unknownMembersAreIgnored() throws {
        let config = try config([
            "is_debug": false, "future": [["deep": [1, 2]]],
            "experiences": [experience("e", ["new_member": ["a": 1]])],
        ])
        #expect(config.experiences.count == 1)
        #expect(config.diagnostics.isEmpty)
    }

    @Test func archivedIDsAreComparedAsText() throws {
        let config = try config(["archived_experiences": ["a", 7, .null]])
        #expect(config.archivedExperiences == ["a", "7", "null"])
    }

    static let lists = ["experiences", "audiences", "locations", "segments", "features", "goals"]

    @Test(arguments: lists, ["x", 7, true, [:]] as [JSValue])
    func aListOfAnotherTypeIsLeftOutAndTold(name: String, value: JSValue) throws {
        let config = try config([name: value])
        #expect(config.diagnostics.map(\.description) == ["$.\(name): left out: expected a list."])
    }

    @Test(arguments: lists) func aListThatIsNullIsAsIfItWereMissing(name: String) throws {
        #expect(try config([name: .null]).diagnostics.isEmpty)
    }

    @Test(arguments: lists) func anEntityWithoutIDIsLeftOutAndTold(name: String) throws {
        let config = try config([name: [["key": "a"]]])
        #expect(config.diagnostics.map(\.description) == ["$.\(name)[0]: left out: it has no id."])
    }

    @Test(arguments: lists, [.null, [], [:]] as [JSValue])
    func anEntityWhoseIDIsNoIDIsLeftOutAndTold(name: String, id: JSValue) throws {
        let diagnostics = try config([name: [["key": "a", "id": id]]]).diagnostics
        #expect(diagnostics.map(\.path) == ["$.\(name)[0]"])
        #expect(diagnostics.first?.message.hasPrefix("left out: $.\(name)[0].id has another type") == true)
    }

    @Test(arguments: ["experiences", "goals"], ["", 0, false] as [JSValue])
    func anExperienceOrAGoalWhoseIDIsNotTruthyIsLeftOutAndTold(name: String, id: JSValue) throws {
        let config = try config([name: [["key": "a", "id": id]]])
        #expect(config.experiences.count + config.goals.count == 0)
        #expect(config.diagnostics.map(\.path) == ["$.\(name)[0]"])
    }

    @Test(arguments: lists, ["x", 7, .null, []] as [JSValue])
    func anEntityThatIsNoObjectIsLeftOutAndTold(name: String, entity: JSValue) throws {
        #expect(try config([name: [entity]]).diagnostics.map(\.path) == ["$.\(name)[0]"])
    }

    @Test func oneMalformedEntityDoesNotTakeTheOthersDown() throws {
        let config = try config(["experiences": [experience("a"), 7, experience("b")]])
        #expect(config.experiences.map(\.key) == ["a", "b"])
    }

    @Test func diagnosticsAreBounded() throws {
        let entities = JSValue.array((0..<500).map { _ in 7 })
        #expect(try config(["goals": entities]).diagnostics.count == 200)
    }
}
