internal import ConvertConcurrency
public import ConvertTransport
public import Foundation

/// Loads rules into an engine and keeps them up to date.
///
///     let loader = RulesLoader(engine: engine, source: .url(url), cache: RulesCache(folder: folder))
///     try await loader.start()      // installs the cached copy, then downloads changes
///     try await loader.refresh()    // at the start of each session
///
/// If a load fails, the engine keeps its rules.
public actor RulesLoader {
    /// The result of a load.
    public enum Outcome: Sendable, Equatable {
        /// The engine has new rules.
        case loaded
        /// The engine already had these rules.
        case notModified
    }

    /// Ends a download from the old place, after a configuration document has named another place.
    private struct Superseded: Error {}

    private let installation: RulesInstallation
    private let source: RulesSource
    private let transport: any HTTPTransport
    private let cache: RulesCache?
    private let bundled: Data?
    private let time: any TimeSource
    private nonisolated let fetches = Mutex(FetchRecord<MobileRulesError>())
    /// The bytes from which the engine's rules were read.
    private let adopted = AdoptedBytes()
    /// The document with the rules, and its URL.
    private var rules: (url: URL, document: RemoteDocument)?
    /// The document in memory or in a file; `nil` if the rules are at a URL.
    private let local: RemoteDocument?
    private var configuration: RulesConfigurationReader?

    /// Creates a loader. It loads nothing until ``start()`` or ``refresh()`` is called.
    ///
    /// - Parameters:
    ///   - engine: the engine that receives the rules.
    ///   - source: the source of the rules.
    ///   - transport: sends requests for a URL.
    ///   - cache: stores downloads; `nil` stores nothing.
    ///   - bundled: a `rules.json` or an archive that is used until a URL's rules arrive, if there is no cached copy.
    public init(
        engine: MobileRulesEngine, source: RulesSource, transport: any HTTPTransport = SystemTransport(),
        cache: RulesCache? = nil, bundled: Data? = nil
    ) {
        self.init(
            engine: engine, source: source, transport: transport, cache: cache, bundled: bundled, time: SystemTime())
    }

    /// Creates a loader that measures timeouts with `time`.
    init(
        engine: MobileRulesEngine, source: RulesSource, transport: any HTTPTransport, cache: RulesCache? = nil,
        bundled: Data? = nil, time: any TimeSource
    ) {
        let installation = RulesInstallation(engine: engine)
        self.installation = installation
        let read: (@Sendable () throws -> Data)? =
            switch source {
            case .data(let data): { data }
            case .file(let file): { try .rulesFile(file, limit: MobileRulesLimits.archiveLength) }
            case .url, .configuration: nil
            }
        local = read.map { read in
            RemoteDocument(
                .file(read), transport: transport, time: time, whenAbandoned: .isCancelled,
                consumer: RemoteDocument.Consumer(adopt: { try installation.install($0) }))
        }
        self.source = source
        self.transport = transport
        self.cache = cache
        self.bundled = bundled
        self.time = time
    }

    /// The number of callers that wait for the current download of rules.
    package var callerCount: Int { rules?.document.callerCount ?? 0 }

    /// Loads the rules that are available without the network, the cached copy or else the bundled rules, and then
    /// refreshes.
    ///
    /// If this loader has already installed rules in the engine, the call is the same as ``refresh()``.
    ///
    /// - Returns: the result of the refresh.
    /// - Throws: ``MobileRulesError`` if the refresh failed. The engine then uses the cached or bundled rules.
    @discardableResult
    public func start() async throws(MobileRulesError) -> Outcome {
        // Checked again, because another call may have installed newer rules meanwhile.
        if !installation.hasInstalled, await !restore(), !installation.hasInstalled, let bundled {
            do throws(MobileRulesError) {
                try installation.install(bundled)
            } catch {
                // The rules from the network may still be valid.
                installation.warn(error, "the bundled rules are refused")
            }
        }
        return try await refresh()
    }

    /// How current the rules are. Reading the status loads nothing.
    public nonisolated var status: RulesStatus {
        let now = time.now
        return fetches.withLock {
            RulesStatus(age: $0.age(at: now), failingSince: $0.outage?.start, lastError: $0.outage?.error)
        }
    }

    /// Reads the source again. From a URL, only changed rules are downloaded. Calls during a refresh share its result.
    /// If the bytes have not changed, the engine keeps its rules.
    ///
    /// A call ends immediately if its task is cancelled. If the tasks of all callers are cancelled, the download is
    /// cancelled too, and the loaded rules stay.
    ///
    /// - Returns: whether the engine has new rules.
    /// - Throws: ``MobileRulesError`` if the refresh failed or was cancelled. The loaded rules stay.
    @discardableResult
    public func refresh() async throws(MobileRulesError) -> Outcome {
        while true {
            do {
                let outcome = try await load()
                fetches.withLock { _ = $0.succeed(at: time.now) }
                return outcome
            } catch is Superseded {
                // Another call has read the new place and downloads from there.
                continue
            } catch is CancellationError where Task.isCancelled {
                throw MobileRulesError(.cancelled, at: source.place, "cancelled; the rules that are loaded stay.")
            } catch {
                let error = MobileRulesError(loading: error, from: source.place)
                fetches.withLock { _ = $0.fail(error, at: time.date) }
                throw error
            }
        }
    }

    private func load() async throws -> Outcome {
        switch source {
        case .data, .file:
            return try await local?.fetch() == .replaced ? .loaded : .notModified
        case .url(let url):
            return try await download(url)
        case .configuration(let place):
            let configuration = try await reader(of: place).read()
            if let url = configuration.rulesURL { return try await download(url) }
            guard let bundled else {
                throw MobileRulesError(
                    .missingMember, at: place.place,
                    "it has no rules.url, and there are no bundled rules; give either." + configuration.hint)
            }
            if installation.hasInstalled { return .notModified }
            try installation.install(bundled)
            return .loaded
        }
    }

    private func download(_ url: URL) async throws -> Outcome {
        do {
            return try await document(at: url).fetch() == .replaced ? .loaded : .notModified
        } catch let error as Superseded {
            throw error
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw MobileRulesError(loading: error, from: url.withoutSecrets)
        }
    }

    /// Installs the copy on disk in the engine. Returns whether there is a usable copy.
    private func restore() async -> Bool {
        let limit = MobileRulesLimits.archiveLength
        do {
            switch source {
            case .data, .file: return false
            case .url(let url): return try await document(at: url).restore(limit: limit)
            case .configuration(let place):
                guard let url = try await reader(of: place).restore()?.rulesURL else { return false }
                return try await document(at: url).restore(limit: limit)
            }
        } catch {
            installation.warn(MobileRulesError(loading: error, from: source.place), "the cached rules are refused")
            return false
        }
    }

    /// The document of the rules at `url`.
    private func document(at url: URL) -> RemoteDocument {
        if let rules, rules.url == url { return rules.document }
        // A download from the old place must not finish after a download from the new place.
        rules?.document.end(with: Superseded())
        let copy = cache?.copy(of: url, namedBy: source.configurationPlace)
        let document = RemoteDocument(
            .endpoint { try .rules(at: url, limit: MobileRulesLimits.archiveLength) }, copy: copy,
            transport: transport, time: time, whenAbandoned: .isCancelled, adopted: adopted,
            consumer: RemoteDocument.Consumer(
                adopt: { [installation] in try installation.install($0) },
                copyEnded: copyEnded(copy, "the rules are loaded, but not kept")))
        rules = (url, document)
        return document
    }

    private func reader(of place: RulesSource.Configuration) -> RulesConfigurationReader {
        if let configuration { return configuration }
        var copy: DocumentCopy?
        if case .url(let url) = place { copy = cache?.copy(of: url) }
        let reader = RulesConfigurationReader(
            place, transport: transport, copy: copy, time: time,
            copyEnded: copyEnded(copy, "the configuration is read, but not kept"))
        configuration = reader
        return reader
    }

    /// Warns if `copy` could not be written. The rules are still used, and the next start downloads them again.
    private func copyEnded(_ copy: DocumentCopy?, _ consequence: String) -> @Sendable ((any Error)?) -> Void {
        { [installation] error in
            guard let error, let copy else { return }
            installation.warn(.unwritable(copy.file, error), consequence)
        }
    }
}
