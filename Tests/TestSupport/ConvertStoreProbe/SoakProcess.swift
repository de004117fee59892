import ConvertConcurrency
import ConvertECMAScript
import ConvertMobileRules
import ConvertMonitoring
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTransport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// One life of the soak's server: decides at a steady pace for new visitors, some of which return and convert, with
/// ledger and event history in one folder, until there is a file `stop` in it. The tracking endpoint is down while
/// there is a file `down`.
///
/// It prints what a script needs to keep the books, a line each:
///
///     D ID…                  events of these visitors arrived at the endpoint; of conversions, with a plus sign
///     A THREAD COUNT         the decisions of the thread's first COUNT visitors are stored, as `persisted()` said
///     C THREAD COUNT         the conversions of its first COUNT visitors are
///     S ACCEPTED RESTORED DELIVERED QUEUED REJECTED KILOBYTES THREADS FILES SLOWEST
///     E ACCEPTED RESTORED DELIVERED QUEUED REJECTED UNSTORED WAITING   after the shutdown
struct SoakProcess: Sendable {
    let folder: URL
    /// What the ids of this life's visitors begin with.
    let name: String
    /// Decisions a second.
    let rate: Int

    private static let threadCount = 3

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "90", "key": "all",
        "variations": [{"id": "900", "key": "a"}, {"id": "901", "key": "b"}]}]}
        """.utf8)

    func run() async throws {
        // A limit on the length of files is to fail writes, not to end the process.
        signal(SIGXFSZ, SIG_IGN)
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.ledger = try SQLiteLedger(file: file("convert.sqlite"), maximumVisitorCount: 20_000)
        // Rate × longest stall: what finds no room is given up, and could not be waited for either.
        configuration.queueCapacity = 100_000
        configuration.ledgerPatience = .seconds(1)
        let history = try SQLiteEventHistory(
            file: file("history.sqlite"), retention: EventHistoryRetention(maximumCount: 2000))
        let endpoint = Endpoint(down: file("down").path)
        let sdk = try ConvertSDK(configData: Self.config, configuration: configuration, transport: endpoint)
        let tally = Tally()
        for thread in 0..<Self.threadCount {
            Thread.detachNewThread { decide(on: thread, with: sdk, tally) }
        }
        Thread.detachNewThread { record(in: history, tally) }
        let converting = Task { await convert(with: sdk, tally) }
        let confirming = Task { await confirm(tally) }
        while !exists("stop") {
            try await Task.sleep(for: .seconds(1))
            sayAccepted(tally)
            say(
                "S \(Self.books(sdk)) \(Self.kilobytes) \(Self.entries("/proc/self/task")) "
                    + "\(Self.entries("/proc/self/fd")) \(tally.takeSlowest())")
        }
        tally.stop()
        while tally.running > 0 { try await Task.sleep(for: .milliseconds(20)) }
        await converting.value
        await confirming.value
        let report = await sdk.shutdown(deadline: .seconds(30))
        sayAccepted(tally)
        say("E \(Self.books(sdk)) \(report.unstoredEntries) \(history.waitingRecordCount)")
    }

    private func sayAccepted(_ tally: Tally) {
        for (thread, count) in tally.counts.enumerated() { say("A \(name)-\(thread) \(count)") }
        say("C \(name)-0 \(tally.conversions)")
    }

    /// Converts for visitors that return, a tenth as many as there are decisions.
    private func convert(with sdk: ConvertSDK, _ tally: Tally) async {
        let pause = Duration.seconds(10) / rate
        var next = ContinuousClock.now
        var number = 0
        while !tally.isStopped {
            next += pause
            try? await Task.sleep(until: next)
            // Long after they were here first.
            guard number + rate < tally.counts[0] else { continue }
            let context = await sdk.loadContext(visitorID: "\(name)-0-\(number)")
            context.trackConversion("purchase")
            while await !Self.isStored(context) {
                if tally.isStopped { return }
                try? await Task.sleep(for: .milliseconds(100))
            }
            number += 1
            tally.countConversions(number)
        }
    }

    /// Counts the decisions that are stored, until the threads have ended and all of theirs are.
    private func confirm(_ tally: Tally) async {
        while true {
            let isLast = tally.running == 0
            for (thread, newest) in tally.newest.enumerated() {
                guard let newest else { continue }
                // The ledger takes entries in the order of the calls, so all earlier ones of the thread are stored too.
                if await Self.isStored(newest.context) { tally.countStored(newest.number, on: thread) }
            }
            if isLast { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits for the ledger, and returns whether it has what the context did.
    private static func isStored(_ context: ConvertContext) async -> Bool {
        (try? await context.persisted(within: .seconds(60))) != nil
    }

    private func decide(on thread: Int, with sdk: ConvertSDK, _ tally: Tally) {
        let pause = Double(Self.threadCount) / Double(rate)
        let start = Self.seconds
        var number = 0
        while !tally.isStopped {
            let early = start + Double(number) * pause - Self.seconds
            if early > 0 { usleep(UInt32(early * 1e6)) }
            let before = Self.seconds
            let context = sdk.createContext(visitorID: "\(name)-\(thread)-\(number)")
            _ = context.decide("all").variation
            number += 1
            tally.count(number, context, on: thread, took: Self.seconds - before)
        }
        tally.end()
    }

    private func record(in history: SQLiteEventHistory, _ tally: Tally) {
        var configuration = MobileRulesConfiguration()
        configuration.history = history
        let engine = MobileRulesEngine(configuration)
        if let rules = try? RulesDocument(json: Data(#"{"version": 1, "rules": []}"#.utf8)) {
            engine.replaceRules(with: rules)
        }
        var number = 0
        while !tally.isStopped {
            engine.process(MobileEvent(type: "t", source: "s", data: ["n": .integer(number % 500)], mask: ["n"]))
            number += 1
            usleep(20_000)
        }
        tally.end()
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func exists(_ name: String) -> Bool { access(file(name).path, F_OK) == 0 }

    private static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func books(_ sdk: ConvertSDK) -> String {
        let counts = sdk.deliveryCounts
        return "\(counts.accepted) \(counts.restored) \(counts.delivered) \(counts.queued) \(counts.rejectedTotal)"
    }

    /// Memory that is resident; 0 where the system does not tell.
    private static var kilobytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private static func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    /// What the threads have done.
    private final class Tally: Sendable {
        private struct State {
            /// By thread, how many of its visitors' decisions are stored.
            var counts = Array(repeating: 0, count: SoakProcess.threadCount)
            /// By thread, its newest visitor, and the number of its visitors.
            var newest: [(context: ConvertContext, number: Int)?] = Array(
                repeating: nil, count: SoakProcess.threadCount)
            var conversions = 0
            var slowest = 0.0
            var running = SoakProcess.threadCount + 1
            var isStopped = false
        }

        private let state = Mutex(State())

        var counts: [Int] { state.withLock { $0.counts } }
        var newest: [(context: ConvertContext, number: Int)?] { state.withLock { $0.newest } }
        var conversions: Int { state.withLock { $0.conversions } }
        var running: Int { state.withLock { $0.running } }
        var isStopped: Bool { state.withLock { $0.isStopped } }

        func count(_ number: Int, _ context: ConvertContext, on thread: Int, took seconds: Double) {
            state.withLock { state in
                state.newest[thread] = (context, number)
                state.slowest = max(state.slowest, seconds)
            }
        }

        func countStored(_ number: Int, on thread: Int) { state.withLock { $0.counts[thread] = number } }

        func countConversions(_ number: Int) { state.withLock { $0.conversions = number } }

        /// The slowest decision since it was last asked for, in microseconds.
        func takeSlowest() -> Int {
            state.withLock { state in
                defer { state.slowest = 0 }
                return Int(state.slowest * 1e6)
            }
        }

        func stop() { state.withLock { $0.isStopped = true } }

        func end() { state.withLock { $0.running -= 1 } }
    }

    /// A tracking endpoint that says whose events it took.
    private struct Endpoint: HTTPTransport {
        private struct Body: Decodable {
            struct Visitor: Decodable {
                let visitorId: String
                let events: [Event]
            }

            struct Event: Decodable { let eventType: String }

            let visitors: [Visitor]
        }

        let down: String

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            if access(down, F_OK) == 0 { return HTTPResponse(status: 503) }
            let body = try JSONDecoder().decode(Body.self, from: request.body ?? Data())
            let ids = body.visitors.flatMap { visitor in
                visitor.events.map { visitor.visitorId + ($0.eventType == "conversion" ? "+" : "") }
            }
            say("D \(ids.joined(separator: " "))")
            return HTTPResponse(status: 200)
        }
    }
}
