import ConvertECMAScript
import ConvertLedgers
import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

struct PersistenceTests {
    /// A ledger that says when a commit began, and stores it when it is allowed to.
    private struct HeldLedger: Ledger {
        let memory = MemoryLedger()
        let begun = AsyncStream<Void>.makeStream()
        let allowed = AsyncStream<Bool>.makeStream()
        var isShared = false
        /// What another server stores of a visitor immediately before each commit.
        var rival: VisitorState?

        func begin() async throws -> UInt32 { try await memory.begin() }
        func visitor(_ key: String) async throws -> VisitorState? { try await memory.visitor(key) }
        func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
            begun.continuation.yield()
            for await isAllowed in allowed.stream {
                if isAllowed { break }
                throw Refused()
            }
            if let rival {
                _ = try await memory.commit(
                    entries.map { LedgerEntry(visitor: $0.visitor, changes: VisitorChanges(rival)) })
            }
            return try await memory.commit(entries)
        }
        func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
            try await memory.undelivered(after: id, limit: limit)
        }
        func owned(_ ids: [EventID]) async throws -> [EventID] { try await memory.owned(ids) }
        func remove(_ ids: [EventID]) async throws { try await memory.remove(ids) }
        func forget(_ key: String) async throws { try await memory.forget(key) }
        func close() async { await memory.close() }
    }

    private struct Refused: Error {}

    private let ledger = HeldLedger()

    /// Flags on an SDK whose events no endpoint takes.
    private func flags(
        on ledger: HeldLedger? = nil, waiting timeout: Duration, flagsWaiting flagTimeout: Duration = .seconds(60),
        exposures: RemoteEvaluationConfiguration.ExposureReports = .always, queueCapacity: Int = 100
    ) async throws -> Flags {
        var configuration = SDKConfiguration()
        configuration.queueCapacity = queueCapacity
        configuration.trackEndpoint = "http://127.0.0.1:1"
        configuration.ledger = ledger ?? self.ledger
        configuration.logLevel = .silent
        let sdk = try ConvertSDK(configData: Data(Flags.config.utf8), configuration: configuration)
        try await sdk.ready()
        var answers = RemoteEvaluationConfiguration()
        answers.persistenceTimeout = timeout
        answers.flagPersistenceTimeout = flagTimeout
        answers.exposureReports = exposures
        return Flags(sdk, answers)
    }

    private func track(_ flags: Flags, _ visitor: String = "visitor-1") async throws -> Answer {
        let body = Array(#"{"context": {"targetingKey": "\#(visitor)"}}"#.utf8)
        return try await flags.send("POST", "/convert/v1/track/purchase", [], body)
    }

    @Test(arguments: [true, false])
    func anAnswerWaitsUntilWhatItDidIsStored(isConversion: Bool) async throws {
        let flags = try await flags(waiting: .seconds(60))
        async let answer = isConversion ? track(flags) : flags.evaluate("rollout", "visitor-1")
        for await _ in ledger.begun.stream { break }
        #expect(try await ledger.memory.undelivered(after: nil, limit: 1).isEmpty)
        ledger.allowed.continuation.yield(true)
        #expect(try await answer.status == (isConversion ? 202 : 200))
        #expect(try await ledger.memory.undelivered(after: nil, limit: 9).count == 1)
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test func whileTheLedgerFailsConversionsAreRefusedAndFlagsAreAnswered() async throws {
        let flags = try await flags(waiting: .milliseconds(1))
        for _ in 0..<100 { ledger.allowed.continuation.yield(false) }
        let conversion = try await track(flags)
        #expect(conversion.status == 503 && conversion.headers["retry-after"] == "1")
        // It counts in memory, and would be lost with the process.
        #expect(try await track(flags).status == 503)
        let flag = try await flags.evaluate("rollout", "visitor-1")
        #expect(flag.status == 200 && flag["value"] == "on")
        ledger.allowed.continuation.finish()
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test func aConversionThatFindsNoRoomIsSentAgain() async throws {
        let flags = try await flags(waiting: .milliseconds(1), queueCapacity: 1)
        _ = try await track(flags)
        let refused = try await track(flags, "visitor-2")
        #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
        #expect(refused.body == ["outcome": "refused"])
        ledger.allowed.continuation.finish()
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test func anAnswerAboutFlagsWaitsForAShorterTime() async throws {
        let flags = try await flags(waiting: .seconds(600), flagsWaiting: .milliseconds(1))
        #expect(try await flags.evaluate("rollout", "visitor-1")["value"] == "on")
        #expect(try await flags.evaluateAll("visitor-2").status == 200)
        ledger.allowed.continuation.finish()
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test func anAnswerToARequestThatReportsNothingDoesNotWait() async throws {
        let flags = try await flags(waiting: .seconds(600), flagsWaiting: .seconds(600), exposures: .singleFlags)
        #expect(try await flags.evaluateAll("visitor-1").status == 200)
        // A decision that is not stored yet makes no difference.
        async let waiting = flags.evaluate("rollout", "visitor-1")
        for await _ in ledger.begun.stream { break }
        #expect(try await flags.evaluate("rollout", "visitor-1", ["convertExposure": false])["value"] == "on")
        ledger.allowed.continuation.finish()
        #expect(try await waiting["value"] == "on")
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test func whileTheLedgerFailsAnswersAboutFlagsDoNotWait() async throws {
        let flags = try await flags(waiting: .milliseconds(1), flagsWaiting: .seconds(600))
        for _ in 0..<1_000 { ledger.allowed.continuation.yield(false) }
        _ = try await track(flags)
        #expect(await eventually { !flags.sdk.isLedgerAvailable })
        #expect(try await flags.evaluate("rollout", "visitor-2")["value"] == "on")
        ledger.allowed.continuation.finish()
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test(arguments: [true, false])
    func onASharedLedgerTheAnswerIsTheDecisionThatWasStoredFirst(isBulk: Bool) async throws {
        let visitor = try Flags().visitor(seeing: "one-page")
        var ledger = HeldLedger()
        ledger.isShared = true
        ledger.rival = try VisitorState(json: Data(#"{"bucketing": {"e1": "v2"}}"#.utf8))
        ledger.allowed.continuation.finish()
        let flags = try await flags(on: ledger, waiting: .seconds(60))
        let answer: JSObject? =
            isBulk
            ? try await flags.evaluateAll(visitor).flag("checkout")
            : try await flags.evaluate("checkout", visitor).body
        #expect(answer?["value"] == "classic")
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test func onASharedLedgerADecisionThatWasStoredIsShownAsNew() async throws {
        var ledger = HeldLedger()
        ledger.isShared = true
        ledger.allowed.continuation.finish()
        let flags = try await flags(on: ledger, waiting: .seconds(60))
        let first = try await flags.evaluate("rollout", "visitor-1")
        #expect(first.text("reason") == "TARGETING_MATCH" && first.fact("source") == nil)
        #expect(try await flags.evaluate("rollout", "visitor-1").fact("source") == "stored")
        await flags.sdk.shutdown(deadline: .zero)
    }

    @Test func onlyAnAnswerThatNeedsNoLedgerIsImmediate() async throws {
        let request = RemoteEvaluationRequest(
            method: "POST", path: "/ofrep/v1/evaluate/flags/rollout",
            body: Array(#"{"context": {"targetingKey": "visitor-1"}}"#.utf8))
        let withLedger = try await flags(waiting: .zero)
        #expect(withLedger.remote.respondImmediately(to: request)?.status == nil)
        #expect(!withLedger.remote.respondsImmediately)
        await withLedger.sdk.shutdown(deadline: .zero)
        let without = try Flags()
        #expect(without.remote.respondsImmediately)
        let answer = try #require(without.remote.respondImmediately(to: request))
        #expect(try Answer(answer)["value"] == "on")
    }
}
