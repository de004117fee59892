import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct DecisionLogTests {
    /// Keeps lines, or takes none.
    private final class Sink: DecisionLogSink {
        let isFailing = Atomic(false)
        private let text = Mutex("")

        var lines: [String] { text.withLock { $0.split(separator: "\n").map(String.init) } }

        func write(_ lines: Data) throws {
            if isFailing.load(ordering: .relaxed) { throw Failure() }
            text.withLock { $0 += String(decoding: lines, as: UTF8.self) }
        }
    }

    private let sink = Sink()
    private let logger = RecordingLogger()

    private func sdk(_ change: (inout DecisionLog) -> Void = { _ in }) throws -> ConvertSDK {
        var log = DecisionLog(sink: sink)
        change(&log)
        let source = ConfigSource.fixed(try Fixture.config(), ConfigRevision(of: Fixture.data))
        return try Fixture.sdk(source: source) {
            $0.decisionLog = log
            $0.logger = logger
        }
    }

    private var digest: String { ConfigRevision(of: Fixture.data).description }

    @Test func aLineHasTheConfigTheInputsThatRulesReadThePriorStateAndTheAnswer() async throws {
        let sdk = try sdk()
        let context = sdk.createContext(
            visitorID: "v1", attributes: ["plan": "pro", "shoe": 43, "country": "de"], locationProperties: ["page": "x"]
        )
        context.decide("pros")
        context.decide(experienceID: "92")
        _ = context.feature("flow", experienceKeys: ["carrier"])
        await sdk.flush()
        let head =
            #"{"time":"2023-11-14T22:13:20.000Z","config":"\#(digest)","environment":"staging","visitorId":"v1","#
        let inputs = #""attributes":{"plan":"pro"},"locationProperties":{"page":"x"},"stored":{"#
        #expect(
            sink.lines == [
                head + inputs + #""segments":{}},"decisions":{"pros":"pros-a"}}"#,
                head + inputs
                    + #""bucketing":{"91":"910"},"segments":{}},"call":{"byId":true},"decisions":{"92":null}}"#,
                head + inputs
                    + #""bucketing":{"91":"910"},"segments":{}},"#
                    + #""call":{"feature":"flow","experienceKeys":["carrier"]},"#
                    + #""features":{"flow":[{"experience":"carrier","variables":"#
                    + #"{"on":true,"size":24,"rate":0.5,"copy":"7","data":{"a":1}}}]}}"#,
            ])
        #expect(sdk.decisionLogCounts.written == 3 && sdk.decisionLogCounts.waiting == 0)
    }

    @Test func allExperiencesAndAllFeaturesAreALineEach() async throws {
        let sdk = try sdk()
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "free"])
        #expect(context.decideAll().compactMap(\.variation).count == 1)
        _ = context.features()
        await sdk.flush()
        #expect(sink.lines.count == 2)
        #expect(sink.lines[0].contains(#""call":{"all":true},"decisions":{"all":"#))
        #expect(sink.lines[0].contains(#""pros":null,"home":null,"live":null,"gone":null,"carrier":null}"#))
        #expect(sink.lines[1].contains(#""call":{"features":true},"features":{"#))
    }

    @Test func optionsThatDecideAreInTheLine() async throws {
        let sdk = try sdk { $0.includesUnreadProperties = true }
        var options = DecisionOptions(
            environment: "production", visitorProperties: ["plan": "pro"], isStorageEnabled: false)
        options.forcedVariation = "pros-a"
        sdk.createContext(visitorID: "v1", attributes: ["shoe": 43]).decide("pros", options: options)
        await sdk.flush()
        let line = try #require(sink.lines.first)
        #expect(line.contains(#""environment":"production""#) && line.contains(#""attributes":{"shoe":43}"#))
        #expect(line.contains(#""call":{"properties":{"plan":"pro"},"forcedVariation":"pros-a","isStored":false}"#))
    }

    @Test func redactedPropertiesAndIDsAreNotWritten() async throws {
        let sdk = try sdk {
            $0.redactedProperties = ["PLAN"]
            $0.pseudonym = { "hash of \($0.utf8.count)" }
        }
        let context = sdk.createContext(visitorID: "secret", attributes: ["plan": "pro"])
        context.decide("pros")
        _ = context.isFeatureEnabled("flow")
        await sdk.flush()
        #expect(sink.lines.count == 2)
        #expect(sink.lines.allSatisfy { !$0.contains("secret") && !$0.contains(#""pro""#) })
        #expect(sink.lines[0].contains(#""visitorId":"hash of 6","buckets":{"pros":"#))
        #expect(sink.lines[0].contains(#""withheld":["plan"],"decisions":{"pros":"pros-a"}"#))
        #expect(sink.lines[1].contains(#""withheld":["plan","visitorId"],"features""#))
    }

    @Test func aRedactedNameIsNotWrittenWhereverItStands() async throws {
        let sdk = try sdk {
            $0.includesUnreadProperties = true
            $0.redactedProperties = ["Email", "card.number"]
        }
        let person: JSValue = [
            "EMAIL": "secret", "shoe": 43, "contacts": [["email": "secret"], [["eMail": ["secret"]]], 1],
        ]
        let card: JSValue = ["Number": "secret", "kind": "visa"]
        let properties: JSObject = [
            "person": person, "user.email": "secret", "wallet": ["card": card], "number": 7, "emails": "kept",
        ]
        let context = sdk.createContext(visitorID: "v1", attributes: properties, locationProperties: properties)
        context.updateVisitorProperties(properties)
        context.decide("all", options: DecisionOptions(visitorProperties: properties))
        await sdk.flush()
        let line = try #require(sink.lines.first)
        #expect(!line.contains("secret"))
        let visible =
            #"{"person":{"shoe":43,"contacts":[{},[{}],1]},"wallet":{"card":{"kind":"visa"}},"number":7,"emails":"kept"}"#
        for member in ["attributes", "locationProperties", "segments", "properties"] {
            #expect(line.contains("\"\(member)\":\(visible)"), "\(member): \(line)")
        }
        #expect(
            line.contains(
                #""withheld":["person.EMAIL","person.contacts.email","person.contacts.eMail","user.email","#
                    + #""wallet.card.Number"]"#), "\(line)")
    }

    @Test func valuesNestedTooDeepForRedactionAreNotWritten() async throws {
        let sdk = try sdk {
            $0.includesUnreadProperties = true
            $0.redactedProperties = ["email"]
        }
        func nested(_ depth: Int) -> JSValue {
            var value: JSValue = ["email": "secret", "kept": "seen"]
            for _ in 0..<depth { value = .array([value]) }
            return value
        }
        sdk.createContext(visitorID: "v1", attributes: ["low": nested(511), "deep": nested(600)]).decide("all")
        await sdk.flush()
        let line = try #require(sink.lines.first)
        #expect(!line.contains("secret") && line.contains(#""withheld":["low.email","deep"]"#))
        #expect(line.split(separator: "seen").count == 2, "what is not too deep is written")
    }

    @Test func aShareOfTheVisitorsIsWrittenTheSameInEveryProcess() async throws {
        var written: [Set<String>] = []
        for _ in 0..<2 {
            let sdk = try sdk { $0.visitorShare = 0.25 }
            for index in 0..<400 {
                let context = sdk.createContext(visitorID: "v\(index)")
                context.decide("all")
                context.decide("home")
            }
            await sdk.flush()
            written.append(
                Set(sink.lines.compactMap { $0.split(separator: #""visitorId":""#).last.map { String($0.prefix(5)) } }))
            #expect(sdk.decisionLogCounts.written == 2 * written[0].count)
        }
        #expect(written[0] == written[1])
        #expect((60...140).contains(written[0].count))
    }

    @Test func elementsBeyondTheCapacityAreGivenUpAndReported() async throws {
        let sdk = try sdk { $0.capacity = 3 }
        let context = sdk.createContext(visitorID: "v1")
        for _ in 0..<5 { context.decide("all") }
        #expect(sdk.decisionLogCounts == DecisionLogCounts(written: 0, waiting: 3, lost: 2))
        await sdk.flush()
        #expect(sdk.decisionLogCounts == DecisionLogCounts(written: 3, waiting: 0, lost: 2))
        #expect(logger.warnings.contains { $0.contains("1 lines of the decision log were given up") })
        context.decide("all")
        await sdk.flush()
        #expect(sink.lines.count == 4)
    }

    @Test func linesThatTheSinkRefusesAreLostAndReported() async throws {
        let sdk = try sdk()
        sink.isFailing.store(true, ordering: .relaxed)
        sdk.createContext(visitorID: "v1").decide("all")
        await sdk.flush()
        sink.isFailing.store(false, ordering: .relaxed)
        sdk.createContext(visitorID: "v2").decide("all")
        await sdk.flush()
        #expect(sdk.decisionLogCounts == DecisionLogCounts(written: 1, waiting: 0, lost: 1))
        #expect(logger.warnings.contains { $0.contains("they cannot be written (Failure)") })
    }

    @Test func previewsAndQuestionsWithoutAConfigAreNotWritten() async throws {
        let sdk = try sdk()
        let context = sdk.createContext(visitorID: "v1")
        _ = context.setPreview(experienceID: "90", variationID: "900")
        context.decide("all")
        sdk.createContext(visitorID: "").decide("all")
        await sdk.flush()
        #expect(sink.lines.isEmpty && sdk.decisionLogCounts.waiting == 0)
    }

    @Test func aShutdownWritesWhatWaits() async throws {
        let sdk = try sdk()
        sdk.createContext(visitorID: "v1").decide("all")
        _ = await sdk.shutdown()
        #expect(sink.lines.count == 1)
        sdk.createContext(visitorID: "v2").decide("all")
        #expect(sdk.decisionLogCounts == DecisionLogCounts(written: 1, waiting: 0, lost: 1))
        #expect(logger.warnings.contains { $0.contains("Shut it down after the last request") })
    }

    @Test func aFileIsItsOwnersAndALineThatWasCutOffSwallowsNone() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("log.jsonl")
        let file = DecisionLogFile(url)
        try file.write(Data("1\n2\n".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("cut o".utf8))
        try handle.close()
        try file.write(Data("3\n".utf8))
        try file.write(Data("4\n".utf8))
        #expect(try String(contentsOf: url, encoding: .utf8) == "1\n2\ncut o\n3\n4\n")
        #expect(throws: (any Error).self) { try DecisionLogFile(folder.file("no/log")).write(Data("1\n".utf8)) }
    }
}
