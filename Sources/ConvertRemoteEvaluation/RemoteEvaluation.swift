package import ConvertConcurrency
public import ConvertSwiftSDK

/// Implements OpenFeature's remote evaluation protocol, OFREP 0.3.0, with the config of a `ConvertSDK`.
///
/// Requests and responses are values, so it works with any HTTP server: the server passes each request that it
/// receives, and writes the response.
///
///     let flags = RemoteEvaluation(sdk: convert)
///     let response = await flags.respond(
///         to: RemoteEvaluationRequest(method: "POST", path: path, headers: headers, body: body))
///
/// An evaluation equals a call of a context: it decides, stores and reports in the same way. One instance serves all
/// requests; safe to use from any thread.
public final class RemoteEvaluation: Sendable {
    /// The configuration.
    public let configuration: RemoteEvaluationConfiguration

    let sdk: ConvertSDK
    let access: Access
    let limiter: RateLimiter?
    private let indexes = FlagIndexes()
    let changes: ConfigChangeFeed

    /// Creates a remote evaluation with `sdk`. The SDK should be ready: requests before its first config are answered
    /// with 503.
    ///
    /// - Parameters:
    ///   - sdk: the SDK that decides. Its shutdown ends the streams of config changes.
    ///   - configuration: the configuration.
    public convenience init(
        sdk: ConvertSDK, configuration: RemoteEvaluationConfiguration = RemoteEvaluationConfiguration()
    ) {
        self.init(sdk: sdk, configuration: configuration, time: SystemTime())
    }

    package init(sdk: ConvertSDK, configuration: RemoteEvaluationConfiguration, time: any TimeSource) {
        self.sdk = sdk
        self.configuration = configuration
        access = Access(configuration.accessKeys)
        limiter = configuration.rateLimit.map { [access] in RateLimiter($0, keys: access.count, time: time) }
        changes = ConfigChangeFeed(
            sdk: sdk, capacity: configuration.limits.streams,
            interval: max(.seconds(1), configuration.keepAliveInterval), time: time)
    }

    deinit { changes.end() }

    /// Responds to a request.
    ///
    /// It never throws and never blocks a thread. If the SDK has a ledger, it waits for the visitor's record, at most
    /// `SDKConfiguration.loadTimeout`, and for ``RemoteEvaluationConfiguration/persistenceTimeout``. One flag takes
    /// some microseconds; all flags take time linear to the number of experiences.
    /// - Parameter request: the request. A server should read at most one byte more of a body than
    ///   ``RemoteEvaluationConfiguration/Limits/bodyLength``.
    /// - Returns: the response, even to a request that is malformed or exceeds a limit.
    public func respond(to request: RemoteEvaluationRequest) async -> RemoteEvaluationResponse {
        switch admit(request) {
        case .response(let response):
            return response
        case .evaluation(let evaluation):
            guard sdk.loadsVisitors else { return respond(to: evaluation, on: context(for: evaluation.body)) }
            let body = evaluation.body
            let context = await sdk.loadContext(
                visitorID: body.visitorID, attributes: body.attributes, locationProperties: body.location)
            guard let timeout = configuration.persistenceTimeout else { return respond(to: evaluation, on: context) }
            let response = respond(to: evaluation, on: context, isPersisted: true)
            do {
                try await context.persisted(within: timeout)
                return response
            } catch {
                // Flags come out the same whether or not they are stored yet.
                guard case .conversion = evaluation.subject, response.status == 202 else { return response }
                return .failure(503, error.message, headers: [("retry-after", "1")])
            }
        }
    }

    /// Responds to a request like ``respond(to:)``, without suspending.
    ///
    /// - Returns: `nil` if the SDK has a ledger, because responses then wait for it. Nothing has happened then; call
    ///   ``respond(to:)``.
    public func respondImmediately(to request: RemoteEvaluationRequest) -> RemoteEvaluationResponse? {
        sdk.loadsVisitors ? nil : respondAtOnce(to: request)
    }

    /// Responds immediately, with the visitor's record as far as it is loaded.
    package func respondAtOnce(to request: RemoteEvaluationRequest) -> RemoteEvaluationResponse {
        switch admit(request) {
        case .response(let response): response
        case .evaluation(let evaluation): respond(to: evaluation, on: context(for: evaluation.body))
        }
    }

    private func context(for body: EvaluationBody) -> ConvertContext {
        sdk.createContext(
            visitorID: body.visitorID, attributes: body.attributes, locationProperties: body.location)
    }

    /// - Parameter isPersisted: whether the answer waits until what it did is stored.
    private func respond(
        to evaluation: PendingEvaluation, on context: ConvertContext, isPersisted: Bool = false
    ) -> RemoteEvaluationResponse {
        let body = evaluation.body
        if configuration.allowsPreviews, let preview = body.preview { context.setPreview(parameter: preview) }
        guard let index = indexes.index(for: context) else {
            return .failure(503, FlagError.notReady.details, headers: [("retry-after", "1")])
        }
        let reports = configuration.exposureReports
        switch evaluation.subject {
        case .conversion(let goal):
            do {
                let conversion = try ConversionRequest(body.others)
                let outcome = context.trackConversion(goal, options: conversion.options)
                return .conversion(outcome, isPersisted: isPersisted)
            } catch {
                return .bulkFailure(error)
            }
        case .flag(let key):
            let exposes = body.reportsExposure && reports != .never
            do {
                let found = try FlagEvaluator(index: index, context: context, reportsExposure: exposes).evaluate(key)
                return .flag(key, found)
            } catch {
                return .failure(error, of: key)
            }
        case .bulk(let ifNoneMatch):
            guard index.all.count <= configuration.limits.flags else {
                return .serverError(
                    "the config has \(index.all.count) flags, more than the \(configuration.limits.flags) of a bulk "
                        + "answer; evaluate them one by one, or raise the limit of the server.")
            }
            let exposes = body.reportsExposure && reports == .always
            let found = FlagEvaluator(index: index, context: context, reportsExposure: exposes).evaluateAll()
            return .bulk(
                found, revision: index.identity.revision, ifNoneMatch: ifNoneMatch,
                changesTarget: configuration.offersChanges
                    ? Route.changesTarget(prefix: configuration.pathPrefix, tag: index.tag) : nil)
        }
    }

    /// Evaluates a flag for a context that the app created, like a request for the flag.
    ///
    /// It is meant for providers in the same process, such as one for an OpenFeature SDK.
    /// - Parameters:
    ///   - key: the flag's key.
    ///   - context: the visitor's context. It must belong to this SDK.
    ///   - reportsExposure: whether a new decision is stored and reported. Otherwise the call has no effects.
    /// - Returns: the value with its reason.
    /// - Throws: ``FlagError`` if there is no config yet, the config has no such flag, the visitor's id is empty, or
    ///   the rules cannot be evaluated.
    public func evaluation(
        of key: String, for context: ConvertContext, reportsExposure: Bool = true
    ) throws(FlagError) -> FlagEvaluation {
        guard let index = indexes.index(for: context) else { throw FlagError.notReady }
        return try FlagEvaluator(
            index: index, context: context,
            reportsExposure: reportsExposure && configuration.exposureReports != .never
        ).evaluate(key)
    }
}
