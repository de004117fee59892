import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertAnalysis

/// What an SDK logs comes out the same when it is decided again.
struct DecisionLogReplayTests {
    /// Two experiences, the second for visitors outside of the first; one for a segment; and the shop's.
    private static func configs() throws -> [Data] {
        let shop = try Data(contentsOf: PopulationAssignmentTests.url("configs/demo-shop.json"))
        // Of later: other rules, and other shares.
        let text = String(decoding: shop, as: UTF8.self)
        let later = text.replacing("insider", with: "pro").replacing(
            #""traffic_allocation": 50"#, with: #""traffic_allocation": 20"#)
        #expect(later != text)
        return [shop, Data(later.utf8)]
    }

    /// Asks as servers do, on several threads, for visitors who come back.
    private static func load(_ sdk: ConvertSDK, _ config: ProjectConfig, threads: Int, count: Int, seed: Int)
        async throws
    {
        let keys = config.experiences.compactMap(\.key) + ["unknown"]
        let features = config.features.compactMap(\.key) + ["unknown"]
        let visitors = PopulationAssignmentTests.visitors(40, for: config, seed: 5)
        try await withThrowingTaskGroup { group in
            for thread in 0..<threads {
                group.addTask {
                    try await aside {
                        var random = SeededGenerator(seed: seed + thread)
                        for _ in 0..<count {
                            let visitor = random.pick(visitors)
                            let context = sdk.createContext(
                                visitorID: visitor.visitorID, attributes: visitor.attributes,
                                locationProperties: visitor.locationProperties)
                            var options = DecisionOptions()
                            if random.happens(10) { options.isStorageEnabled = false }
                            if random.happens(10) { options.environment = "production" }
                            if random.happens(10) { options.visitorProperties = ["plan": "pro", "country": "fr"] }
                            if random.happens(5) { options.ignoresLocationProperties = true }
                            if random.happens(5) { options.updatesVisitorProperties = true }
                            for _ in 0..<2 {
                                switch random.int(0...5) {
                                case 0, 1: context.decide(random.pick(keys), options: options)
                                case 2: context.decide(experienceID: config.experiences[0].id.text, options: options)
                                case 3: context.decideAll(options: options)
                                case 4: _ = context.feature(random.pick(features), options: options)
                                default: _ = context.features(options: options)
                                }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func replay(_ log: URL, _ configs: [Data], _ options: DecisionReplay.Options = .init()) async throws
        -> (tally: ReplayTally, output: String)
    {
        let replay = DecisionReplay(try configs.map { try DecisionReplay.Candidate(json: $0) }, options: options)
        let input = InputInPieces(try Data(contentsOf: log), mostBytes: .max)
        return try await aside {
            let output = Mutex<[UInt8]>([])
            let tally = try replay.run(
                threads: 2, read: input.read, write: { bytes in output.withLock { $0 += bytes } })
            return (tally, String(decoding: output.withLock { $0 }, as: UTF8.self))
        }
    }

    /// A log of a server under load that gets another config, is started again, and gets the first one back.
    private static func log(
        into folder: TemporaryFolder, _ semantics: RuleSemantics, threads: Int, count: Int,
        _ change: (inout DecisionLog) -> Void = { _ in }
    ) async throws -> (file: URL, lines: Int) {
        let file = folder.file("decisions.jsonl")
        let configs = try configs()
        let ledger = KeptLedger()
        var lines = 0
        for life in 0..<2 {
            let document = folder.file("config.json")
            try configs[life].write(to: document)
            var configuration = SDKConfiguration()
            configuration.ledger = ledger
            configuration.semantics = semantics
            configuration.logLevel = .silent
            configuration.refreshInterval = .zero
            var log = DecisionLog(file: file)
            log.capacity = 1_000_000
            change(&log)
            configuration.decisionLog = log
            let sdk = ConvertSDK(configFile: document, mode: .offline, configuration: configuration)
            try await sdk.ready()
            for round in 0..<2 {
                let current = configs[(life + round) % 2]
                try current.write(to: document)
                try await sdk.refreshConfig()
                try await load(
                    sdk, try ProjectConfig(json: current), threads: threads, count: count, seed: 100 * life + 10 * round
                )
            }
            _ = await sdk.shutdown()
            #expect(sdk.decisionLogCounts.lost == 0)
            lines += sdk.decisionLogCounts.written
        }
        return (file, lines)
    }

    @Test(arguments: RuleSemantics.allCases)
    func aLogUnderLoadAcrossARestartAndAConfigChangeComesOutTheSame(semantics: RuleSemantics) async throws {
        let folder = try TemporaryFolder()
        let (file, lines) = try await Self.log(into: folder, semantics, threads: 4, count: caseCount(20, plain: 8))
        let (tally, output) = try await Self.replay(file, Self.configs())
        #expect(tally.lines.recordCount == lines && tally.lines.errorCount == 0, "\(tally.lines.firstErrors)")
        #expect(tally.differenceCount == 0, "\(output.prefix(3000))")
        #expect(tally.decisionCount > lines && lines == 4 * 4 * 2 * caseCount(20, plain: 8))
        #expect(tally.otherConfigCount == 0 && tally.undecidableCount == 0)
        // Against one config, differences are reported.
        let shadow = try await Self.replay(file, [Self.configs()[1]])
        #expect(shadow.tally.differenceCount > 0 && shadow.tally.otherConfigCount > 0)
        #expect(shadow.tally.lines.errorCount == 0)
        // Of several, the line's must be among them.
        let none = try await Self.replay(file, [Data(Self.other.utf8), Self.configs()[1]])
        #expect(none.tally.lines.errorCount > 0 && none.tally.differenceCount == 0)
        #expect(none.tally.lines.firstErrors.first?.error.code == .unknownConfig)
    }

    private static let other = #"{"account_id":"1","project":{"id":"2"},"experiences":[]}"#

    @Test func experiencesOfPseudonymousVisitorsComeOutTheSame() async throws {
        let folder = try TemporaryFolder()
        let (file, lines) = try await Self.log(into: folder, .standard, threads: 2, count: caseCount(20, plain: 8)) {
            $0.pseudonym = { "p-\($0.utf8.reduce(0) { $0 &* 31 &+ Int($1) })" }
        }
        let (tally, output) = try await Self.replay(file, Self.configs())
        #expect(tally.differenceCount == 0, "\(output.prefix(3000))")
        #expect(tally.lines.recordCount == lines && tally.undecidableCount > 0 && tally.decisionCount > lines / 2)
    }

    @Test func aWithheldValueIsNamedIfTheAnswerDependsOnIt() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await Self.log(into: folder, .standard, threads: 1, count: caseCount(60, plain: 24)) {
            $0.redactedProperties = ["path"]
        }
        let (tally, output) = try await Self.replay(file, Self.configs())
        #expect(tally.differenceCount > 0 && tally.withheldCount == tally.differenceCount)
        #expect(output.contains(#""withheld":["path""#))
    }

    @Test func linesWithRedactedMembersAreDecidedAgain() async throws {
        let folder = try TemporaryFolder()
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        var log = DecisionLog(file: folder.file("decisions.jsonl"))
        log.includesUnreadProperties = true
        log.redactedProperties = ["email", "visitorId"]
        configuration.decisionLog = log
        let config = try Self.configs()[0]
        let sdk = try ConvertSDK(configData: config, mode: .offline, configuration: configuration)
        let keys = try ProjectConfig(json: config).experiences.compactMap(\.key)
        for number in 0..<20 {
            let person: JSValue = ["email": "secret", "orders": [["email": "secret", "count": 1]]]
            let context = sdk.createContext(
                visitorID: "v\(number)", attributes: ["person": person, "visitorId": "secret", "plan": "insider"],
                locationProperties: ["path": "/", "email": "secret"])
            for key in keys { context.decide(key) }
        }
        await sdk.shutdown()
        let text = try String(contentsOf: folder.file("decisions.jsonl"), encoding: .utf8)
        #expect(!text.contains("secret"))
        #expect(text.contains(#""withheld":["person.email","person.orders.email","visitorId","email"]"#))
        let (tally, output) = try await Self.replay(folder.file("decisions.jsonl"), [config])
        #expect(tally.decisionCount == 20 * keys.count && tally.undecidableCount == 0)
        #expect(tally.knownDifferenceCount == 0 && tally.lines.errorCount == 0, "\(output)")
    }

    @Test func otherSemanticsAreAShadowRun() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await Self.log(into: folder, .standard, threads: 1, count: caseCount(60, plain: 24))
        var options = DecisionReplay.Options()
        options.semantics = .javaScript
        let (tally, _) = try await Self.replay(file, Self.configs(), options)
        #expect(tally.differenceCount > 0 && tally.otherConfigCount == 0)
    }

    static let refused = [
        (#""call":{"later":1}"#, "$.call: it has members that this version does not know; use a newer one."),
        (
            #""options":{"semantics":"later"}"#,
            "$.options: it has members that this version does not know; use a newer one."
        ),
        (#""buckets":[]"#, "$.buckets: expected an object of bucket values by experience."),
        (#""config":1"#, "$.config: expected a text."),
    ]

    @Test(arguments: refused)
    func aLogOfALaterVersionIsRefused(member: String, description: String) {
        let json = #"{"visitorId":"v",\#(member),"decisions":{}}"#
        let error = #expect(throws: PopulationVisitorError.self) {
            try Array(json.utf8).withElements { try LoggedDecisions(json: $0) }
        }
        #expect(error?.description == description)
    }
}
