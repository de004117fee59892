public import ConvertTransport
public import Foundation

/// Where rules come from.
public enum RulesSource: Sendable, Equatable {
    /// A `rules.json` or an archive in memory.
    case data(Data)
    /// A `rules.json` or an archive on disk.
    case file(URL)
    /// An endpoint that serves one of them: the configuration's `rules.url`. Must be `https`, or `http` on loopback.
    case url(URL)
}

/// Brings rules into an engine and keeps them up to date.
///
///     let loader = RulesLoader(engine: engine, source: .url(url), transport: transport, cache: RulesCache(folder: folder))
///     try await loader.start()      // the cached copy at once, then what is new
///     try await loader.refresh()    // at the start of each session
///
/// Whatever goes wrong, the rules that the engine has stay.
public actor RulesLoader {
    /// What a load came to.
    public enum Outcome: Sendable, Equatable {
        /// New rules are in the engine.
        case loaded
        /// The server says that the rules are those that the engine has.
        case notModified
    }

    private let engine: MobileRulesEngine
    private let source: RulesSource
    private let transport: (any HTTPTransport)?
    private let cache: RulesCache?
    private let bundled: Data?

    /// Of the copy that the engine has from the URL.
    private var validators: HTTPValidators?
    /// Whether rules of this loader are in the engine.
    private var hasInstalled = false
    private var refreshing: Task<Outcome, any Error>?
    /// Callers that wait for `refreshing`.
    package private(set) var callers = 0

    /// A loader; it loads nothing before it is told to.
    ///
    /// - Parameters:
    ///   - transport: what sends requests; needed for a URL only.
    ///   - cache: where downloaded rules are kept; `nil` keeps them nowhere.
    ///   - bundled: a `rules.json` or an archive that serves until a URL's rules arrive, if there is no cached copy.
    public init(
        engine: MobileRulesEngine, source: RulesSource, transport: (any HTTPTransport)? = nil, cache: RulesCache? = nil,
        bundled: Data? = nil
    ) {
        self.engine = engine
        self.source = source
        self.transport = transport
        self.cache = cache
        self.bundled = bundled
    }

    /// Loads what there is without the network, the cached copy or else the bundled rules, then refreshes.
    ///
    /// Once this loader has put rules into the engine, however it came by them, this is ``refresh()`` and no more.
    /// - Throws: ``MobileRulesError`` if the refresh failed; the engine then works with the cached or bundled rules.
    @discardableResult
    public func start() async throws(MobileRulesError) -> Outcome {
        if case .url(let url) = source, !hasInstalled, !installCopy(of: url), let bundled {
            do throws(MobileRulesError) {
                install(try RulesPackage(bundled))
            } catch {
                // What comes over the network may be sound.
                warn(error, "the bundled rules are refused")
            }
        }
        return try await refresh()
    }

    /// Reads the source again; of a URL only what has changed. Calls that come while one is under way share its answer.
    ///
    /// When the tasks of all callers are cancelled, so is the download; the rules that are loaded stay.
    /// - Throws: ``MobileRulesError`` if there are no new rules to be had; those that are loaded stay.
    @discardableResult
    public func refresh() async throws(MobileRulesError) -> Outcome {
        let task = refreshing ?? Task { try await self.load() }
        refreshing = task
        callers += 1
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            Task { await self.leave(task) }
        }
        if refreshing == task {
            refreshing = nil
            callers = 0
        }
        do {
            return try result.get()
        } catch let error as MobileRulesError {
            throw error
        } catch {
            if task.isCancelled {
                throw MobileRulesError(.cancelled, at: source.place, "cancelled; the rules that are loaded stay.")
            }
            throw MobileRulesError(.unreachable, at: source.place, "the rules cannot be fetched. \(error)")
        }
    }

    /// A caller of `refresh` no longer waits for `task`. The last one ends it.
    private func leave(_ task: Task<Outcome, any Error>) {
        guard refreshing == task else { return }
        callers -= 1
        guard callers == 0 else { return }
        task.cancel()
        // Who asks from now on is not to share its end.
        refreshing = nil
    }

    private func load() async throws -> Outcome {
        switch source {
        case .data(let data):
            install(try RulesPackage(data))
        case .file(let file):
            install(try RulesPackage(try contents(of: file)))
        case .url(let url):
            return try await download(url)
        }
        return .loaded
    }

    private func download(_ url: URL) async throws -> Outcome {
        guard let transport else {
            throw MobileRulesError(
                .unreachable, at: url.absoluteString, "a loader without a transport cannot fetch rules.")
        }
        guard url.isTrustworthy else {
            throw MobileRulesError(.unreachable, at: url.absoluteString, "rules are fetched by https only.")
        }
        let request = HTTPRequest(url: url, maximumResponseLength: MobileRulesLimits.archiveLength)
        let former = validators
        let outcome = try await transport.send(ConditionalGET(request, validators: former))
        // Others load while a cancelled load ends, so what it was asked about may be gone.
        try Task.checkCancellation()
        switch outcome {
        case .notModified(let updated):
            validators = updated
            do throws(MobileRulesError) {
                if let former { try cache?.replaceValidators(former, with: updated, for: url) }
            } catch {
                warn(error, "the rules are current, but not what to ask with for newer ones")
            }
            return .notModified
        case .failed(let response):
            throw MobileRulesError(
                .badResponse, at: url.absoluteString, "the server answered \(response.status) instead of rules.")
        case .modified(let response, let received):
            install(try RulesPackage(response.body))
            validators = received
            do throws(MobileRulesError) {
                try cache?.store(response.body, validators: received, for: url)
            } catch {
                // Rules that cannot be kept are rules all the same; the next start downloads them again.
                warn(error, "the rules are loaded, but not kept")
            }
            return .loaded
        }
    }

    private func installCopy(of url: URL) -> Bool {
        do throws(MobileRulesError) {
            guard let copy = try cache?.checkedCopy(of: url) else { return false }
            install(try RulesPackage(copy.data))
            validators = copy.validators
            return true
        } catch {
            warn(error, "the cached rules are refused")
            return false
        }
    }

    private func warn(_ error: MobileRulesError, _ consequence: String) {
        engine.warn([MobileRulesWarning(at: error.place, "\(consequence): \(error.message)")])
    }

    private func install(_ package: RulesPackage) {
        engine.replaceRules(with: package.document, assets: package.assets)
        hasInstalled = true
    }

    private func contents(of file: URL) throws -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            // One byte beyond the limit is enough for the reader to refuse it.
            return try handle.read(upToCount: MobileRulesLimits.archiveLength + 1) ?? Data()
        } catch {
            throw MobileRulesError(.unreachable, at: file.path, "the file cannot be read.")
        }
    }
}

extension RulesSource {
    fileprivate var place: String {
        switch self {
        case .data: "data"
        case .file(let url): url.path
        case .url(let url): url.absoluteString
        }
    }
}

extension URL {
    /// Whether nobody on the way can change what it serves.
    var isTrustworthy: Bool {
        switch scheme?.lowercased() {
        case "https": true
        case "http": ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host()?.lowercased() ?? "")
        default: false
        }
    }
}
