/// An accepted request that waits for its visitor.
struct PendingEvaluation {
    /// The subject of the evaluation.
    enum Subject {
        /// One flag.
        case flag(key: String)
        /// All flags. `ifNoneMatch` has the tags that the client already has.
        case bulk(ifNoneMatch: [String])
        /// No flag: a goal is triggered.
        case conversion(goal: String)
    }

    let subject: Subject
    let body: EvaluationBody
}

/// The result of checking a request before the evaluation.
enum Admission {
    /// The response to a request that needs no evaluation.
    case response(RemoteEvaluationResponse)
    /// The request needs an evaluation.
    case evaluation(PendingEvaluation)
}

extension RemoteEvaluation {
    /// Checks a request's size, credentials, rate, path, method and body, in this order.
    func admit(_ request: RemoteEvaluationRequest) -> Admission {
        if let refusal = refusal(ofSize: request) { return .response(refusal) }
        guard case .granted(let permissions, let place) = access.check(request) else {
            return .response(
                .failure(
                    401, "present an access key, as 'Authorization: Bearer KEY' or as 'X-API-Key: KEY'.",
                    headers: [("www-authenticate", "Bearer")]))
        }
        if let seconds = limiter?.wait(place: place) { return .response(.tooManyRequests(retryAfter: seconds)) }
        switch Route(request.path, prefix: configuration.pathPrefix) {
        case .unknown:
            return .response(
                .failure(404, "there is nothing at this path; flags are at /ofrep/v1/evaluate/flags."))
        case .changes(let since):
            if let refusal = refusal(of: request, "GET", .changes, permissions) { return .response(refusal) }
            let known = request.value(of: "last-event-id") ?? since
            guard let stream = changes.open(knowing: known) else {
                return .response(.tooManyRequests(retryAfter: 60))
            }
            return .response(RemoteEvaluationResponse(stream))
        case .unreadableFlag(let key):
            if let refusal = refusal(of: request, "POST", .flag, permissions) { return .response(refusal) }
            let error = FlagError(.parseError, "the key in the path is not percent-encoded UTF-8.")
            return .response(.failure(error, of: key))
        case .flag(let key):
            if let refusal = refusal(of: request, "POST", .flag, permissions) { return .response(refusal) }
            guard key.utf8.count <= configuration.limits.keyLength else {
                return .response(
                    .failure(414, "the flag's key is longer than \(configuration.limits.keyLength) bytes."))
            }
            return read(request, .flag(key: key)) { .failure($0, of: key) }
        case .track(let goal):
            if let refusal = refusal(of: request, "POST", .track, permissions) { return .response(refusal) }
            return read(request, .conversion(goal: goal)) { .bulkFailure($0) }
        case .bulk:
            if let refusal = refusal(of: request, "POST", .bulk, permissions) { return .response(refusal) }
            return read(request, .bulk(ifNoneMatch: request.values(of: "if-none-match"))) { .bulkFailure($0) }
        }
    }

    private func refusal(ofSize request: RemoteEvaluationRequest) -> RemoteEvaluationResponse? {
        let limits = configuration.limits
        if request.path.utf8.count > limits.pathLength {
            return .failure(414, "the path is longer than \(limits.pathLength) bytes.")
        }
        let length = request.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        if request.headers.count > limits.headerCount || length > limits.headerLength {
            return .failure(
                431, "more than \(limits.headerCount) header fields, or \(limits.headerLength) bytes of them.")
        }
        return nil
    }

    /// The response that rejects a request for a resource with `method` and `permission`; `nil` if the request is
    /// allowed.
    private func refusal(
        of request: RemoteEvaluationRequest, _ method: String, _ permission: RemoteEvaluationKey.Permissions,
        _ permissions: RemoteEvaluationKey.Permissions
    ) -> RemoteEvaluationResponse? {
        if !permissions.contains(permission) {
            return .failure(403, "the access key does not permit this; use another key.")
        }
        if request.method != method {
            return .failure(405, "use \(method) here.", headers: [("allow", method)])
        }
        return nil
    }

    private func read(
        _ request: RemoteEvaluationRequest, _ subject: PendingEvaluation.Subject,
        _ failure: (FlagError) -> RemoteEvaluationResponse
    ) -> Admission {
        if let type = request.value(of: "content-type"), !Self.isJSON(type) {
            return .response(.failure(415, "the body must be JSON; send 'Content-Type: application/json'."))
        }
        let limits = configuration.limits
        if request.body.count > limits.bodyLength { return .response(.bodyTooLong(limit: limits.bodyLength)) }
        do {
            let body = try EvaluationBody(request.body, limits: limits)
            return .evaluation(PendingEvaluation(subject: subject, body: body))
        } catch {
            return .response(failure(error))
        }
    }

    private static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return name == "application/json" || (name.hasPrefix("application/") && name.hasSuffix("+json"))
    }
}
