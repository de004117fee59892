import Foundation
import Testing

@testable import ConvertAnalysis
@testable import ConvertECMAScript
@testable import ConvertMobileRules
@testable import ConvertSwiftSDKCore
@testable import convert_sdk

struct SchemaCommandTests {
    private static let demoShop = Documentation.root.appending(path: "TestVectors/configs/demo-shop.json")

    @Test func schemasAreListedAndPrinted() throws {
        let list = try Tool.run("schema")
        #expect(list.status == 0)
        for name in SchemaName.allCases {
            #expect(list.output.contains("\n\(name.rawValue) "))
            let run = try Tool.run("schema", name.rawValue)
            #expect(run.status == 0)
            let schema = try JSONSchema(run.output)
            #expect(schema.root["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        }
        let unknown = try Tool.run("schema", "configs")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'config'?"))
    }

    @Test func theConfigSchemaNamesEveryMemberThatIsRead() throws {
        var names: Set<String> = []
        try JSONSchema.forEachSchema(in: JSONSchema(SchemaName.config.json).root) { schema in
            names.formUnion(Self.propertyNames(of: schema))
        }
        let read = ConfigMember.vocabulary.keys.compactMap { $0?.name } + ["feature_id", "variables_data"]
        #expect(names == Set(read))
    }

    @Test func onlyAnOperatorThatNeedsAValueIsRefusedWithoutOne() throws {
        let schema = try JSONSchema(SchemaName.config.json)
        for name in ConvertSwiftSDKCore.Operation.wireNames {
            let leaf = #"{"key": "k", "matching": {"match_type": "\#(name)", "negated": false}}"#
            let audience = #"{"id": "5", "rules": {"OR": [{"AND": [{"OR_WHEN": [\#(leaf)]}]}]}}"#
            let config = #"{"account_id": "1", "project": {"id": "2"}, "audiences": [\#(audience)]}"#
            let needsValue = ConvertSwiftSDKCore.Operation(wireName: name, under: .standard)?.needsNoValue == false
            #expect(schema.faults(in: try JSValue(json: Data(config.utf8))).isEmpty != needsValue, "\(name)")
        }
    }

    @Test func theConfigSchemaListsTheNamesThatLintLists() throws {
        let schema = try JSONSchema(SchemaName.config.json)
        let options = #"{"settings": {"matching_options": {"audiences": "odd"}}}"#
        let lists: [(definition: String, path: [String], entities: String)] = [
            ("audience", ["type"], #""audiences": [{"type": "odd"}]"#),
            ("feature", ["variables", "items", "type"], #""features": [{"variables": [{"type": "odd"}]}]"#),
            ("experience", ["settings", "matching_options", "audiences"], #""experiences": [\#(options)]"#),
        ]
        for list in lists {
            var part = try #require(schema.definition(list.definition))
            for name in list.path {
                let properties = name == "items" ? part : part["properties"]?.objectValue
                part = try #require(properties?[PropertyKey(name)]?.objectValue)
            }
            let names = try #require(part["enum"]?.arrayValue).compactMap(\.stringValue)
            let config = #"{"account_id": "1", "project": {"id": "2"}, \#(list.entities)}"#
            let start = "'odd' is not one of \(names.joined(separator: ", ")):"
            let messages = try ConfigLint().findings(in: Data(config.utf8)).map(\.message)
            #expect(messages.contains { $0.hasPrefix(start) }, "\(start) \(messages)")
        }
    }

    /// An object with all members that the schema names, each where the schema has it.
    @Test func everyMemberOfTheConfigSchemaIsReadWhereItStands() throws {
        let rules = #"{"OR": [{"AND": [{"OR_WHEN": [\#(try Self.object("leaf", ["matching": Self.matching]))]}]}]}"#
        let change = try Self.object(
            "change", ["type": #""fullStackFeature""#, "data": #"{"feature_id": "1", "variables_data": {}}"#])
        let variation = try Self.object("variation", ["id": "1", "changes": "[\(change)]"])
        let options = #"{"matching_options": {"audiences": "any", "locations": "any"}}"#
        let experience = try Self.object(
            "experience", ["id": "1", "settings": options, "site_area": rules, "variations": "[\(variation)]"])
        let feature = try Self.object("feature", ["id": "1", "variables": #"[{"key": "k", "type": "json"}]"#])
        let place = try Self.object("place", ["id": "1", "rules": rules])
        let config = """
            {"account_id": "1", "error": null, "archived_experiences": [],
             "project": {"id": "2", "name": "n", "type": "t", "environments": {}, "settings": {}},
             "experiences": [\(experience)], "features": [\(feature)], "locations": [\(place)],
             "segments": [\(place)], "audiences": [\(try Self.object("audience", ["id": "1", "rules": rules]))],
             "goals": [\(try Self.object("goal", ["id": "1", "rules": rules]))]}
            """
        let known = Set(Self.propertyNames(of: try JSONSchema(SchemaName.config.json).root))
        #expect(try Set(JSValue(json: Data(config.utf8)).objectValue?.map(\.key.name) ?? []) == known)
        let unread = try ConfigLint().findings(in: Data(config.utf8)).filter { $0.code == .unreadMember }
        #expect(unread.map(\.path) == [])
    }

    @Test func theSchemaOfVisitorsNamesTheMembersOfAVisitor() throws {
        let schema = try JSONSchema(SchemaName.visitors.json)
        #expect(Self.propertyNames(of: schema.root) == Set(PopulationVisitor.Member.allCases.map(\.name)))
        let visitor = PopulationVisitor(
            visitorID: "v", attributes: ["plan": "pro"], locationProperties: ["path": "/"],
            stored: try VisitorState(
                json: Data(
                    #"{"bucketing": {"1": "2"}, "segments": {"a": 1}, "goals": {"g": true}, "locations": ["l"]}"#.utf8))
        )
        let value = try JSValue(json: Data(visitor.json.utf8))
        #expect(schema.faults(in: value) == [])
        let stored = schema.root["properties"]?.objectValue?["stored"]?.objectValue
        let members = value.objectValue?["stored"]?.objectValue?.map(\.key.name) ?? []
        #expect(Self.propertyNames(of: try #require(stored)) == Set(members))
        for refused in [#"{"visitorID": "v"}"#, #"{"visitorId": ""}"#, #"{"visitorId": "v", "attributes": []}"#] {
            #expect(schema.faults(in: try JSValue(json: Data(refused.utf8))) != [])
        }
    }

    @Test(arguments: DocumentObject.allCases)
    func theSchemaOfMobileRulesNamesTheMembersOfEveryObject(kind: DocumentObject) throws {
        let schema = try JSONSchema(SchemaName.mobileRules.json)
        let object = try #require(kind == .document ? schema.root : schema.definition("\(kind)"))
        #expect(Self.propertyNames(of: object) == Set(kind.names.all))
        let required = object["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(required) == Set(kind.names.required))
    }

    @Test func recordedRulesAreAccepted() throws {
        let schema = try JSONSchema(SchemaName.mobileRules.json)
        for path in ["configs/mobile-rules.json", "workloads/w8-rules.json"] {
            let file = Documentation.root.appending(path: "TestVectors/\(path)")
            #expect(schema.faults(in: try JSValue(json: Data(contentsOf: file))) == [], "\(path)")
        }
    }

    /// Some recorded configs are odd on purpose; the schema refuses those.
    @Test func aRecordedConfigThatIsAcceptedIsReadWithoutADiagnostic() throws {
        let schema = try JSONSchema(SchemaName.config.json)
        var accepted = 0
        for (path, config) in try RecordedConfigs.all() {
            let faults = schema.faults(in: config)
            if path.contains("/configs/") || path.contains("/workloads/") { #expect(faults == [], "\(path)") }
            guard faults.isEmpty else { continue }
            accepted += 1
            let diagnostics = try ProjectConfig(config).diagnostics
            #expect(diagnostics.map(\.description) == [], "\(path)")
        }
        #expect(accepted > 220)
    }

    @Test func aValueOfAnotherTypeIsRefused() throws {
        let schema = try JSONSchema(SchemaName.config.json)
        let config = try JSValue(json: Data(contentsOf: Self.demoShop))
        #expect(schema.faults(in: config) == [])
        let mutations = RecordedConfigs.mutations(of: config)
        #expect(mutations.count > 200)
        for (path, mutation) in mutations { #expect(schema.faults(in: mutation) != [], "\(path)") }
    }

    @Test(arguments: [
        ("decide", ["--visitor", "visitor-4", "--attribute", "orders=2", "--explain"]),
        ("features", ["--visitor", "visitor-4", "--attribute", "orders=2", "--explain"]),
    ])
    func whatIsPrintedOfAVisitorIsAsItsSchemaSays(command: String, arguments: [String]) throws {
        let run = try Tool.run([command, "--json", "--config", Self.demoShop.path] + arguments)
        let schema = try JSONSchema(Tool.run("schema", command).output)
        let value = try JSValue(json: Data(run.output.utf8))
        #expect(run.status == 0 && value.arrayValue?.isEmpty == false)
        #expect(schema.faults(in: value) == [])
    }

    @Test func findingsAndDifferencesAreAsTheirSchemasSay() throws {
        let old = try String(contentsOf: Self.demoShop, encoding: .utf8)
        let new = old.replacing(#""value": "de|at|ch""#, with: #""value": "de|AT""#).replacing("33.34", with: "40")
        #expect(new != old)
        try Tool.withFile(new) { file in
            let lines = [
                ("lint", ["--fail-on", "suspicious", file]), ("diff", [Self.demoShop.path, file]),
            ]
            for (name, arguments) in lines {
                let run = try Tool.run([name, "--json"] + arguments)
                let value = try JSValue(json: Data(run.output.utf8))
                #expect(run.status == 1, "\(name): \(run.errors)")
                #expect(try JSONSchema(Tool.run("schema", name).output).faults(in: value) == [])
            }
        }
    }

    @Test func aSimulationIsAsItsSchemaSays() throws {
        let run = try Tool.run(
            "simulate", "--json", "--config", Self.demoShop.path, "--generate", "300", "--baseline", "4%", "--per-day",
            "9000",
            "--attributes", #"{"odd": [1]}"#)
        let value = try JSValue(json: Data(run.output.utf8))
        #expect(run.status == 0, "\(run.errors)")
        #expect(try JSONSchema(Tool.run("schema", "simulate").output).faults(in: value) == [])
    }

    @Test func whatIsPrintedOfALogIsAsItsSchemasSay() throws {
        let visitors = (0..<400).map { #"{"visitorId":"v\#($0)"}"# + "\n" }.joined()
        let config = Self.demoShop.path
        let echo = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
        let log = echo.split(separator: "\n").filter { !$0.contains("classic") }.joined(separator: "\n")
        let counts = #"{"classic": 1, "mega-menu": 400}"#
        let old = try String(contentsOf: Self.demoShop, encoding: .utf8)
        try Tool.withFile(old.replacing("mega-menu", with: "mega")) { other in
            let lines = [
                ("srm", ["srm", "--config", config, "--experience", "new-navigation", "--counts", counts]),
                ("srm-log", ["srm", "--config", config, "--log", "-"]), ("replay", ["replay", "-", "--config", other]),
            ]
            for (name, arguments) in lines {
                let run = try Tool.run(arguments + ["--json"], input: log)
                let value = try JSValue(json: Data(run.output.utf8))
                #expect(run.status == 1, "\(name): \(run.errors)")
                #expect(try JSONSchema(Tool.run("schema", name).output).faults(in: value) == [], "\(name)")
            }
        }
    }

    @Test func whatIsPrintedOfMobileRulesIsAsItsSchemaSays() throws {
        let rules = Documentation.root.appending(path: "TestVectors/configs/mobile-rules.json")
        let event = #"{"type": "track", "source": "app", "data": {"action": "buy", "cart": {"total": 20}}}"#
        let run = try Tool.run("rules", rules.path, "--event", event, "--explain", "--json")
        let value = try JSValue(json: Data(run.output.utf8))
        #expect(run.status == 0, "\(run.errors)")
        #expect(try JSONSchema(Tool.run("schema", "rules").output).faults(in: value) == [])
    }

    @Test func recordedTestsAreAsTheirSchemaSays() throws {
        let run = try Tool.withFile(#"{"visitorId": "v1", "attributes": {"orders": 2}}"#) { visitors in
            try Tool.run("test", "--record", "--config", Self.demoShop.path, "--visitors", visitors)
        }
        let schema = try JSONSchema(SchemaName.tests.json)
        let value = try JSValue(json: Data(run.output.utf8))
        #expect(value.objectValue?["tests"]?.arrayValue?.count == 1)
        #expect(schema.faults(in: value) == [])
        #expect(schema.faults(in: ["tests": [["name": "without a visitor"]]]) != [])
    }

    private static let matching = #"{"match_type": "equals", "negated": false}"#

    private static func propertyNames(of schema: JSObject) -> Set<String> {
        Set(schema["properties"]?.objectValue?.map(\.key.name) ?? [])
    }

    /// JSON with every member of the definition: those in `values`, and `null` for the others.
    private static func object(_ definition: String, _ values: [String: String]) throws -> String {
        let schema = try #require(try JSONSchema(SchemaName.config.json).definition(definition))
        let names = propertyNames(of: schema).union(values.keys).sorted()
        return "{" + names.map { "\"\($0)\": \(values[$0] ?? "null")" }.joined(separator: ", ") + "}"
    }
}
