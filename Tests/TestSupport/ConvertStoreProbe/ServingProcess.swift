import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A process that serves visitors with an SDK whose stores lie in one folder.
struct ServingProcess {
    let folder: URL
    /// Where events go, and where the config comes from if one is fetched.
    let endpoint: String

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "90", "key": "all", "variations": [{"id": "900", "key": "a"}]}]}
        """.utf8)

    /// Tracks one conversion of a new visitor after the other until it is killed, and says each visitor's id once
    /// tracking has accepted theirs.
    func track() throws {
        let sdk = try sdk(journal: "events")
        for number in 0... {
            let id = "\(ProcessInfo.processInfo.processIdentifier)-\(number)"
            if sdk.createContext(visitorID: id).trackConversion("purchase") == .triggered { say(id) }
        }
    }

    /// Delivers what earlier processes left, and says what came of it.
    func deliver() async throws {
        let sdk = try sdk(journal: "events")
        while await sdk.flush().queued > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await sdk.shutdown(deadline: .seconds(600))
        say("rejected \(sdk.deliveryCounts.rejectedTotal)")
    }

    /// Decides and converts for `count` visitors whom other processes serve as well, and says how many conversions were
    /// their first.
    func share(journal: String, count: Int) async throws {
        let sdk = try sdk(journal: journal) {
            $0.visitorStore = try SQLiteVisitorStore(file: folder.appendingPathComponent("visitors.sqlite"))
            $0.storeLoadTimeout = .seconds(600)
        }
        var firsts = 0
        for number in 0..<count {
            let context = await sdk.loadContext(visitorID: "v\(number)")
            context.selectVariation("all")
            if context.trackConversion("purchase") == .triggered { firsts += 1 }
        }
        let report = await sdk.shutdown(deadline: .seconds(600))
        say("\(firsts) first, \(report.isComplete ? "all" : "not all") saved and delivered")
    }

    /// Decides and converts for visitors who come again and again, until it is killed; says each decision and each first
    /// conversion once it is accepted. A third of them does so before their record is there.
    ///
    /// - Parameters:
    ///   - share: how much of a hundred the first variation of one experience gets of new visitors. The other experience
    ///     shares them out the same way in all processes, so that it can be decided without the record.
    ///   - first: the first of the forty visitors.
    func live(share: Int, first: Int, seed: Int) async throws {
        let sdk = try durableSDK(share: share)
        let process = ProcessInfo.processInfo.processIdentifier
        var generator = SeededGenerator(seed: seed)
        for number in 0... {
            let id = "v\(first + generator.int(0...39))"
            let isEarly = number % 3 == 0
            let context = isEarly ? sdk.createContext(visitorID: id) : await sdk.loadContext(visitorID: id)
            for key in isEarly ? ["even"] : ["even", "split"] {
                guard let variation = context.selectVariation(key)?.variationID else { continue }
                say("decided \(id)/\(variation.prefix(2)) \(variation)")
            }
            guard number % 2 == 0 else { continue }
            let transaction = "\(process)-\(number)"
            // One that is deferred is accepted later, if the process lives.
            if context.trackConversion("purchase", transactionID: transaction) == .triggered {
                say("converted \(id) \(transaction)")
            }
        }
    }

    /// Delivers and saves what earlier processes left, and says what came of it.
    func settle() async throws {
        let sdk = try durableSDK(share: 50)
        while await sdk.flush().queued > 0 { try await Task.sleep(for: .milliseconds(5)) }
        let report = await sdk.shutdown(deadline: .seconds(600))
        say("\(report.events.rejectedTotal) rejected, \(report.unsavedVisitors) unsaved")
    }

    private func durableSDK(share: Int) throws -> ConvertSDK {
        let config = Data(
            """
            {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
            "experiences": [{"id": "91", "key": "split", "variations": [
            {"id": "910", "key": "a", "traffic_allocation": \(share)},
            {"id": "911", "key": "b", "traffic_allocation": \(100 - share)}]},
            {"id": "92", "key": "even", "variations": [{"id": "920", "key": "a", "traffic_allocation": 50},
            {"id": "921", "key": "b", "traffic_allocation": 50}]}]}
            """.utf8)
        return try sdk(config: config, journal: "events") {
            $0.visitorStore = try SQLiteVisitorStore(file: folder.appendingPathComponent("visitors.sqlite"))
            $0.storeLoadTimeout = .seconds(600)
            $0.releaseInterval = .milliseconds(20)
        }
    }

    /// Fetches a config and converts although the disk takes nothing, and says what came of it.
    func starve(_ want: Want) async throws {
        let journal = want == .space ? "events" : nil
        let sdk = try sdk(fetches: true, journal: journal) {
            $0.configCopyPath = folder.appendingPathComponent("config").path
        } afterOpening: {
            guard want.begin() else { throw Failure() }
        }
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v")
        let decided = context.selectVariation("all")?.variationKey ?? "nothing"
        for number in 0..<200 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        let report = await sdk.shutdown(deadline: .seconds(600))
        let counts = report.events
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

        /// Lets no file grow beyond so many bytes. Returns whether the system agreed.
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
        fetches: Bool = false, config: Data = Self.config, journal: String? = nil,
        _ change: (inout SDKConfiguration) throws -> Void = { _ in },
        afterOpening: () throws -> Void = {}
    ) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.trackEndpoint = endpoint
        configuration.configEndpoint = endpoint
        configuration.logLevel = .silent
        if let journal {
            configuration.journal = try SQLiteEventJournal(file: folder.appendingPathComponent("\(journal).sqlite"))
        }
        try change(&configuration)
        try afterOpening()
        return fetches
            ? ConvertSDK(sdkKey: "10/20", configuration: configuration)
            : try ConvertSDK(configData: config, configuration: configuration)
    }
}
