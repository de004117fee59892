import ConvertECMAScript
import ConvertMobileRules
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSQLiteStores

struct ClientSideProfileTests {
    let folder: TemporaryFolder
    let reports = Log<StoreDiagnostic>()

    init() throws { folder = try TemporaryFolder() }

    private func profile() throws -> ClientSideProfile {
        try ClientSideProfile(file: folder.file("profile.sqlite")) { [reports] in reports.append($0) }
    }

    @Test func valuesSurviveARestart() throws {
        let first = try profile()
        #expect(first.values.isEmpty)
        first.set("shown", to: "yes")
        first.set("count", to: 3)
        first.set("rate", to: 0.5)
        first.set("e\u{301}\0", to: "composed")
        first.set("gone", to: 1)
        first.set("gone", to: nil)
        first.set("count", to: 4)
        let second = try profile()
        #expect(second.values == ["shown": "yes", "count": 4, "rate": 0.5, "e\u{301}\0": "composed"])
        second.set("shown", to: "")
        #expect(try profile().values["shown"] == nil)
        #expect(reports.entries.isEmpty)
    }

    @Test func twoProcessesWriteTheirOwnKeys() throws {
        let (left, right) = (try profile(), try profile())
        left.set("left", to: 1)
        right.set("right", to: 2)
        #expect(try profile().values == ["left": 1, "right": 2])
    }

    @Test func aFailedWriteIsReportedAndRepeatedWithTheNextChange() async throws {
        let file = folder.file("profile.sqlite")
        var options = StoreFile.Options()
        options.busyTimeout = 10
        let profile = try ClientSideProfile(file: file, options: options) { [reports] in reports.append($0) }
        let other = try Connection(path: file.path, busyTimeout: 0)
        try other.execute("BEGIN IMMEDIATE")
        profile.set("first", to: 1)
        #expect(await eventually { reports.entries == [.profileWaiting(path: file.path)] })
        #expect(profile.values == ["first": 1], "it counts all the same")
        try other.execute("COMMIT")
        profile.set("second", to: 2)
        #expect(try self.profile().values == ["first": 1, "second": 2])
    }

    @Test func somethingIsShownOnceThoughTheEngineStartsAnew() throws {
        let rules = #"""
            {"version": 1, "rules": [{"condition": {"type": "matcher", "definition": {
            "key": "~state.com.adobe.module.userProfile/userprofiledata.shown", "matcher": "nx", "values": []}},
            "consequences": [{"id": "show", "type": "csp", "detail": {"operation": "write", "key": "shown",
            "value": "yes"}}]}]}
            """#
        func shownByANewEngine() throws -> [Bool] {
            var configuration = MobileRulesConfiguration()
            configuration.profile = try profile()
            let engine = MobileRulesEngine(configuration)
            try engine.replaceRules(with: RulesDocument(json: Data(rules.utf8)))
            return (0..<2).map { _ in
                !engine.process(MobileEvent(type: "open", source: "app", data: [:])).matchedRules.isEmpty
            }
        }
        #expect(try shownByANewEngine() == [true, false])
        #expect(try shownByANewEngine() == [false, false])
    }
}
