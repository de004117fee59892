import ConvertMonitoring
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A process that serves visitors with an SDK whose ledger is in a folder.
///
/// It prints what it has accepted only after `persisted()` has returned: the ledger has that.
struct ServingProcess {
    let folder: URL
    /// Where events go, and where the config comes from if one is fetched.
    let endpoint: String

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "90", "key": "all", "variations": [{"id": "900", "key": "a"}]}]}
        """.utf8)

    /// Tracks one conversion of a new visitor after the other until it is killed, and prints each visitor's id once
    /// the conversion is stored.
    func track() async throws {
        let sdk = try await sdk()
        for number in 0... {
            let id = "\(ProcessInfo.processInfo.processIdentifier)-\(number)"
            let context = await sdk.loadContext(visitorID: id)
            if try await context.trackConversion("purchase", persistedWithin: .seconds(600)) == .triggered { say(id) }
        }
    }

    /// Delivers what earlier processes left, and prints what came of it.
    func deliver() async throws {
        let sdk = try await sdk()
        while await sdk.flush().queued > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await sdk.shutdown(deadline: .seconds(600))
        say("rejected \(sdk.deliveryCounts.rejectedTotal)")
    }

    /// Waits until no other process owns the ledger, decides and converts for `count` visitors, and prints how many
    /// conversions were the first ones of their visitors.
    func succeed(count: Int) async throws {
        let sdk = try await sdk()
        var firsts = 0
        for number in 0..<count {
            let context = await sdk.loadContext(visitorID: "v\(number)")
            context.decide("all")
            if context.trackConversion("purchase") == .triggered { firsts += 1 }
        }
        let report = await sdk.shutdown(deadline: .seconds(600))
        say("\(firsts) first, \(report.isComplete ? "all" : "not all") stored and delivered")
    }

    /// Decides and converts for visitors that come again and again, until it is killed; prints each decision and each
    /// first conversion once it is stored. A third of the visitors decide and convert before their record is loaded.
    ///
    /// - Parameters:
    ///   - share: how much of a hundred the first variation of one experience gets of new visitors. The other
    ///     experience shares them out the same way in all processes, so that it can be decided without the record.
    ///   - first: the first of the forty visitors.
    func live(share: Int, first: Int, seed: Int) async throws {
        let sdk = try await durableSDK(share: share)
        let process = ProcessInfo.processInfo.processIdentifier
        var generator = SeededGenerator(seed: seed)
        for number in 0... {
            let id = "v\(first + generator.int(0...39))"
            let isEarly = number % 3 == 0
            let context = isEarly ? sdk.createContext(visitorID: id) : await sdk.loadContext(visitorID: id)
            var lines: [String] = []
            for key in isEarly ? ["even"] : ["even", "split"] {
                guard let variation = context.decide(key).variation?.variationID else { continue }
                lines.append("decided \(id)/\(variation.prefix(2)) \(variation)")
            }
            let transaction = "\(process)-\(number)"
            // A deferred one counts only if the record does not have the goal.
            if number % 2 == 0, context.trackConversion("purchase", transactionID: transaction) == .triggered {
                lines.append("converted \(id) \(transaction)")
            }
            // Some visitors are not waited for: a kill may take what they did, and then it never happened.
            guard number % 5 > 0 else { continue }
            try await context.persisted(within: .seconds(600))
            for line in lines { say(line) }
        }
    }

    /// Delivers what earlier processes left, and prints what came of it.
    func settle() async throws {
        let sdk = try await durableSDK(share: 50)
        while await sdk.flush().queued > 0 { try await Task.sleep(for: .milliseconds(5)) }
        let report = await sdk.shutdown(deadline: .seconds(600))
        say("\(report.events.rejectedTotal) rejected, \(report.unstoredEntries) not stored")
    }

    private func durableSDK(share: Int) async throws -> ConvertSDK {
        let config = Data(
            """
            {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
            "experiences": [{"id": "91", "key": "split", "variations": [
            {"id": "910", "key": "a", "traffic_allocation": \(share)},
            {"id": "911", "key": "b", "traffic_allocation": \(100 - share)}]},
            {"id": "92", "key": "even", "variations": [{"id": "920", "key": "a", "traffic_allocation": 50},
            {"id": "921", "key": "b", "traffic_allocation": 50}]}]}
            """.utf8)
        return try await sdk(config: config) { $0.releaseInterval = .milliseconds(20) }
    }

    /// Fetches a config and converts although the disk takes nothing, and prints what came of it.
    func starve(_ want: Want) async throws {
        let sdk = try await sdk(fetches: true, hasLedger: want == .space) {
            $0.configCopyFile = folder.appendingPathComponent("config")
            // Events go out from memory as soon as the ledger fails.
            $0.ledgerPatience = .zero
        } afterOpening: {
            guard want.begin() else { throw Failure() }
        }
        try await sdk.ready()
        let context = await sdk.loadContext(visitorID: "v")
        let decided = context.decide("all").variation?.variationKey ?? "nothing"
        for number in 0..<200 { await sdk.loadContext(visitorID: "v\(number)").trackConversion("purchase") }
        while await sdk.flush().queued > 0 { try await Task.sleep(for: .milliseconds(5)) }
        // A ledger that fails is tried until the deadline.
        let counts = await sdk.shutdown(deadline: .seconds(1)).events
        say("\(decided), \(counts.accepted) accepted, \(counts.delivered) delivered, \(counts.queued) queued")
    }

    /// What a process may lack.
    enum Want: String {
        /// No file may grow beyond a few pages, as on a disk that is full.
        case space
        /// The user may write nowhere.
        case rights

        /// Begins for the rest of the process. Returns whether the system let it.
        func begin() -> Bool {
            switch self {
            case .space: Self.limitFiles(to: 20_000)
            case .rights: getuid() != 0 || setuid(65534) == 0
            }
        }

        /// Limits the size of files, in bytes. Returns whether the system agreed.
        static func limitFiles(to bytes: UInt) -> Bool {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
            #if canImport(Darwin)
            return setrlimit(RLIMIT_FSIZE, &limit) == 0
            #else
            return setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
            #endif
        }
    }

    private struct Failure: Error {}

    private func sdk(
        fetches: Bool = false, config: Data = Self.config, hasLedger: Bool = true,
        _ change: (inout SDKConfiguration) -> Void = { _ in },
        afterOpening: () throws -> Void = {}
    ) async throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.trackEndpoint = endpoint
        configuration.configEndpoint = endpoint
        configuration.logLevel = .silent
        configuration.loadTimeout = .seconds(600)
        if hasLedger {
            let file = folder.appendingPathComponent("convert.sqlite")
            // Another process may own it, or keep it locked.
            configuration.ledger = try await Main.patiently { try SQLiteLedger(file: file) }
        }
        change(&configuration)
        try afterOpening()
        return fetches
            ? ConvertSDK(sdkKey: "10/20", configuration: configuration)
            : try ConvertSDK(configData: config, configuration: configuration)
    }
}
