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
    /// - Throws: ``MobileRulesError`` if there are no new rules to be had; those that are loaded stay.
    @discardableResult
    public func refresh() async throws(MobileRulesError) -> Outcome {
        let task = refreshing ?? Task { try await self.load() }
        refreshing = task
        let result = await task.result
        if refreshing == task { refreshing = nil }
        do {
            return try result.get()
        } catch let error as MobileRulesError {
            throw error
        } catch {
            throw MobileRulesError(.unreachable, at: "\(source.place)", "the rules cannot be fetched. \(error)")
        }
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
        switch try await transport.send(ConditionalGET(request, validators: validators)) {
        case .notModified(let updated):
            validators = updated
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
