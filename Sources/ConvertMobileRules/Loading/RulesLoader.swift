internal import ConvertConcurrency
public import ConvertTransport
public import Foundation

/// Brings rules into an engine and keeps them up to date.
///
///     let loader = RulesLoader(engine: engine, source: .url(url), cache: RulesCache(folder: folder))
///     try await loader.start()      // the cached copy at once, then what is new
///     try await loader.refresh()    // at the start of each session
///
/// Whatever goes wrong, the rules that the engine has stay.
public actor RulesLoader {
    /// What a load came to.
    public enum Outcome: Sendable, Equatable {
        /// New rules are in the engine.
        case loaded
        /// The rules are those that the engine has.
        case notModified
    }

    /// Ends a download from where the rules were before a configuration document named another place.
    private struct Superseded: Error {}

    private let installation: RulesInstallation
    private let source: RulesSource
    private let transport: any HTTPTransport
    private let cache: RulesCache?
    private let bundled: Data?
    private let time: any TimeSource
    /// The document that serves the rules, and where it is.
    private var rules: (url: URL, document: RemoteDocument)?
    private var configuration: RulesConfigurationReader?

    /// A loader. It loads nothing until ``start()`` or ``refresh()`` is called.
    ///
    /// - Parameters:
    ///   - engine: the engine that gets the rules.
    ///   - source: where the rules are.
    ///   - transport: what sends requests for a URL.
    ///   - cache: where what was downloaded is kept; `nil` keeps it nowhere.
    ///   - bundled: a `rules.json` or an archive that serves until a URL's rules arrive, if there is no cached copy.
    public init(
        engine: MobileRulesEngine, source: RulesSource, transport: any HTTPTransport = SystemTransport(),
        cache: RulesCache? = nil, bundled: Data? = nil
    ) {
        self.init(
            engine: engine, source: source, transport: transport, cache: cache, bundled: bundled, time: SystemTime())
    }

    /// A loader that measures by `time` how long it waits for an answer.
    init(
        engine: MobileRulesEngine, source: RulesSource, transport: any HTTPTransport, cache: RulesCache? = nil,
        bundled: Data? = nil, time: any TimeSource
    ) {
        installation = RulesInstallation(engine: engine)
        self.source = source
        self.transport = transport
        self.cache = cache
        self.bundled = bundled
        self.time = time
    }

    /// Callers that wait for the download of rules under way.
    package var callerCount: Int { rules?.document.callerCount ?? 0 }

    /// Loads what there is without the network, the cached copy or else the bundled rules, then refreshes.
    ///
    /// Once this loader has put rules into the engine, however it came by them, this is ``refresh()`` and no more.
    /// - Throws: ``MobileRulesError`` if the refresh failed; the engine then works with the cached or bundled rules.
    @discardableResult
    public func start() async throws(MobileRulesError) -> Outcome {
        // Asked again, because another call may have had newer rules meanwhile.
        if !installation.hasInstalled, await !restore(), !installation.hasInstalled, let bundled {
            do throws(MobileRulesError) {
                try installation.install(bundled)
            } catch {
                // What comes over the network may be sound.
                installation.warn(error, "the bundled rules are refused")
            }
        }
        return try await refresh()
    }

    /// Reads the source again; of a URL only what has changed. Calls that come while one is under way share its answer.
    ///
    /// A call whose task is cancelled ends at once. When the tasks of all callers are cancelled, so is the download; the
    /// rules that are loaded stay.
    /// - Throws: ``MobileRulesError`` if there are no new rules to be had; those that are loaded stay.
    @discardableResult
    public func refresh() async throws(MobileRulesError) -> Outcome {
        while true {
            do {
                return try await load()
            } catch is Superseded {
                // Another call has learned of the new place and downloads from there.
                continue
            } catch is CancellationError where Task.isCancelled {
                throw MobileRulesError(.cancelled, at: source.place, "cancelled; the rules that are loaded stay.")
            } catch {
                throw MobileRulesError(loading: error, from: source.place)
            }
        }
    }

    private func load() async throws -> Outcome {
        switch source {
        case .data(let data):
            try installation.install(data)
            return .loaded
        case .file(let file):
            try installation.install(.rulesFile(file, limit: MobileRulesLimits.archiveLength))
            return .loaded
        case .url(let url):
            return try await download(url)
        case .configuration(let place):
            if let url = try await reader(of: place).read().rulesURL { return try await download(url) }
            guard let bundled else {
                throw MobileRulesError(
                    .missingMember, at: place.place, "it has no rules.url, and there are no bundled rules; give either."
                )
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

    /// Puts the copy on disk into the engine, if there is one that can serve.
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
        // A download from where the rules were before must not come after those of the new place.
        rules?.document.end(with: Superseded())
        let copy = cache?.copy(of: url, namedBy: source.configurationPlace)
        let document = RemoteDocument(
            .endpoint { try .rules(at: url, limit: MobileRulesLimits.archiveLength) }, copy: copy,
            transport: transport, time: time, whenAbandoned: .isCancelled,
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

    /// Warns when `copy` could not be written. What cannot be kept serves all the same; the next start downloads it again.
    private func copyEnded(_ copy: DocumentCopy?, _ consequence: String) -> @Sendable ((any Error)?) -> Void {
        { [installation] error in
            guard let error, let copy else { return }
            installation.warn(.unwritable(copy.file, error), consequence)
        }
    }
}
