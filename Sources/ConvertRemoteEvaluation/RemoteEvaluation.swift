package import ConvertConcurrency
public import ConvertECMAScript
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
    /// The configuration's prefix in the form that paths have.
    let pathPrefix: String
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
        pathPrefix = Route.normalized(prefix: configuration.pathPrefix)
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
    ///
    /// Send no body in response to `HEAD`.
    /// - Parameter request: the request. A server should read at most one byte more of a body than
    ///   ``RemoteEvaluationConfiguration/Limits/bodyLength``.
    /// - Returns: the response, even to a request that is malformed or exceeds a limit.
    public func respond(to request: RemoteEvaluationRequest) async -> RemoteEvaluationResponse {
        switch admit(request) {
        case .response(let response):
            return response
        case .evaluation(let request):
            let context = await loadedContext(for: request.body.context)
            guard let timeout = persistenceTimeout(for: request) else {
                return answer(to: request, on: context).response
            }
            return await persistedResponse(to: request, on: context, within: timeout)
        }
    }

    /// Whether ``respondImmediately(to:)`` responds: the SDK has no ledger. It never changes.
    public var respondsImmediately: Bool { !sdk.loadsVisitors }

    /// Responds to a request like ``respond(to:)``, without suspending.
    ///
    /// It never blocks, so a server can call it on an event loop. One flag takes some microseconds, and all flags take
    /// time linear to the number of experiences. The first request after a change of the config also indexes the
    /// config, in time linear to its features, variables and experiences.
    /// - Returns: `nil` if the SDK has a ledger, because responses then wait for it. Nothing has happened then; call
    ///   ``respond(to:)``.
    public func respondImmediately(to request: RemoteEvaluationRequest) -> RemoteEvaluationResponse? {
        respondsImmediately ? respondWithoutLoading(to: request) : nil
    }

    /// Responds immediately, with the visitor's record as far as it is loaded.
    package func respondWithoutLoading(to request: RemoteEvaluationRequest) -> RemoteEvaluationResponse {
        switch admit(request) {
        case .response(let response): response
        case .evaluation(let request): answer(to: request, on: context(for: request.body.context)).response
        }
    }

    private func context(for parts: EvaluationContext) -> ConvertContext {
        let context = sdk.createContext(
            visitorID: parts.visitorID, attributes: parts.attributes, locationProperties: parts.location)
        return previewing(parts, context)
    }

    private func loadedContext(for parts: EvaluationContext) async -> ConvertContext {
        guard sdk.loadsVisitors else { return context(for: parts) }
        let context = await sdk.loadContext(
            visitorID: parts.visitorID, attributes: parts.attributes, locationProperties: parts.location)
        return previewing(parts, context)
    }

    private func previewing(_ parts: EvaluationContext, _ context: ConvertContext) -> ConvertContext {
        if configuration.allowsPreviews, let preview = parts.preview { context.setPreview(parameter: preview) }
        return context
    }

    /// The longest time that a response waits until the request's changes are stored; `nil` if it does not wait.
    private func persistenceTimeout(for request: AdmittedRequest) -> Duration? {
        guard sdk.loadsVisitors, let timeout = configuration.persistenceTimeout else { return nil }
        if case .conversion = request.subject { return timeout }
        guard reportsExposures(request), sdk.isLedgerAvailable else { return nil }
        return min(timeout, configuration.flagPersistenceTimeout)
    }

    private func reportsExposures(_ request: AdmittedRequest) -> Bool {
        guard request.body.context.reportsExposure else { return false }
        return switch (request.subject, configuration.exposureReports) {
        case (.conversion, _), (_, .never), (.bulk, .singleFlags): false
        case (.flag, .always), (.flag, .singleFlags), (.bulk, .always): true
        }
    }

    /// Responds to a request when its changes are stored, or after `timeout`.
    private func persistedResponse(
        to request: AdmittedRequest, on context: ConvertContext, within timeout: Duration
    ) async -> RemoteEvaluationResponse {
        let answer = answer(to: request, on: context, isPersisted: true)
        let failure: ConvertError?
        do {
            try await context.persisted(within: timeout)
            failure = nil
        } catch {
            failure = error
        }
        if case .conversion = request.subject {
            let response = answer.response
            // Even a conversion that counted before may be in memory only, and would be lost with the process.
            guard let failure, [200, 202].contains(response.status) else { return response }
            return .unavailable(failure.message)
        }
        guard failure == nil, sdk.sharesLedger else { return answer.response }
        // Another server may have decided for the visitor at the same time, and its decision was stored first.
        let stored = self.answer(to: request, on: context, isRepeated: true)
        return answer.hasSameVariation(as: stored) ? answer.response : stored.response
    }

    /// - Parameters:
    ///   - isPersisted: whether the response waits until the request's changes are stored.
    ///   - isRepeated: whether the request was answered before, so that it reports nothing.
    private func answer(
        to request: AdmittedRequest, on context: ConvertContext, isPersisted: Bool = false, isRepeated: Bool = false
    ) -> Answer {
        guard let index = indexes.index(for: context) else {
            return .response(.unavailable(FlagError.notReady.details))
        }
        let evaluator = FlagEvaluator(
            index: index, context: context, reportsExposure: !isRepeated && reportsExposures(request))
        switch request.subject {
        case .conversion(let goal):
            do {
                let conversion = try ConversionRequest(request.body.others)
                let outcome = context.trackConversion(goal, options: conversion.options)
                return .response(.conversion(outcome, isPersisted: isPersisted))
            } catch {
                return .response(.failureWithoutKey(error))
            }
        case .flag(let key):
            do {
                return .flag(key, try evaluator.evaluate(key))
            } catch {
                return .response(.failure(error, of: key))
            }
        case .bulk(let ifNoneMatch):
            guard index.all.count <= configuration.limits.flags else {
                return .response(
                    .serverError(
                        "the config has \(index.all.count) flags, more than the \(configuration.limits.flags) of a "
                            + "bulk answer; evaluate them one by one, or raise the limit of the server."))
            }
            return .response(
                .bulk(
                    evaluator.evaluateAll(), revision: index.identity.revision, ifNoneMatch: ifNoneMatch,
                    changesTarget: configuration.offersChanges
                        ? Route.changesTarget(prefix: pathPrefix, tag: index.tag) : nil))
        }
    }

    /// A response that is not written yet.
    private enum Answer {
        case response(RemoteEvaluationResponse)
        case flag(String, FlagEvaluation)

        var response: RemoteEvaluationResponse {
            switch self {
            case .response(let response): response
            case .flag(let key, let evaluation): .flag(key, evaluation)
            }
        }

        /// Whether both show the same variation of one flag. An evaluation that decided and one that found the decision
        /// differ in the reason all the same.
        func hasSameVariation(as other: Answer) -> Bool {
            guard case .flag(_, let mine) = self, case .flag(_, let its) = other else { return false }
            return mine.variant == its.variant && mine.metadata["variationId"] == its.metadata["variationId"]
        }
    }

    /// Evaluates a flag for a context that the app created, like a request for the flag.
    ///
    /// It never blocks and takes some microseconds. The first call after a change of the config also indexes the
    /// config, in time linear to its features, variables and experiences. Safe to call from any thread.
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

    /// Evaluates a flag for an OpenFeature evaluation context, like a request for the flag.
    ///
    /// It is meant for providers in the same process, such as one for an OpenFeature SDK. If the SDK has a ledger, it
    /// waits for the visitor's record, at most `SDKConfiguration.loadTimeout`, but not until the decision is stored.
    /// Safe to call from any thread.
    /// - Parameters:
    ///   - key: the flag's key.
    ///   - context: the context's members. `targetingKey`, `location`, `convertExposure` and `convertPreview` mean the
    ///     same as in a request; all others are attributes of the visitor.
    ///   - reportsExposure: whether a new decision is stored and reported, unless `convertExposure` is `false`.
    /// - Returns: the value with its reason.
    /// - Throws: ``FlagError`` like ``evaluation(of:for:reportsExposure:)``, and if a reserved member is missing or has
    ///   the wrong type.
    public func evaluation(
        of key: String, in context: JSObject, reportsExposure: Bool = true
    ) async throws(FlagError) -> FlagEvaluation {
        let parts = try EvaluationContext(context, configuration.limits)
        return try evaluation(
            of: key, for: await loadedContext(for: parts), reportsExposure: reportsExposure && parts.reportsExposure)
    }
}
