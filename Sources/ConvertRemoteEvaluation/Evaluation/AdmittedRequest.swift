/// A request that passed all checks and needs an evaluation.
struct AdmittedRequest {
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
    case evaluation(AdmittedRequest)
}

/// The result of checking what arrives before a request's body.
private enum HeadAdmission {
    /// The response to a request that is rejected whatever its body is.
    case refusal(RemoteEvaluationResponse)
    /// A stream of config changes is wanted.
    case changes(since: String?)
    /// The body is needed.
    case subject(AdmittedRequest.Subject)
}

extension RemoteEvaluation {
    /// Checks a request's size, credentials, rate, path, method and body, in this order.
    func admit(_ request: RemoteEvaluationRequest) -> Admission {
        let (head, place) = admit(headOf: request)
        if let place, let seconds = limiter?.takeToken(place: place) {
            return .response(.tooManyRequests(retryAfter: seconds))
        }
        let limits = configuration.limits
        switch head {
        case .refusal(let refusal):
            return .response(refusal)
        case _ where request.body.count > limits.bodyLength:
            return .response(.bodyTooLong(limit: limits.bodyLength))
        case .changes(let since):
            // A client that has no event yet may send the field without a value.
            let last = request.value(of: "last-event-id").flatMap { $0.isEmpty ? nil : $0 }
            guard let stream = changes.open(knowing: last ?? since) else {
                return .response(.tooManyRequests(retryAfter: 60))
            }
            return .response(RemoteEvaluationResponse(stream))
        case .subject(let subject):
            do {
                let body = try EvaluationBody(request.body, limits: limits)
                return .evaluation(AdmittedRequest(subject: subject, body: body))
            } catch {
                if case .flag(let key) = subject { return .response(.failure(error, of: key)) }
                return .response(.failureWithoutKey(error))
            }
        }
    }

    /// Checks what arrives before a request's body, so that a server need not read the body of a request that is
    /// rejected anyway.
    ///
    /// It is optional: ``respond(to:)`` makes the same checks. A request counts once against
    /// ``RemoteEvaluationConfiguration/rateLimit``: here if it is rejected, otherwise in ``respond(to:)``. It never
    /// blocks, and is safe to call from any thread.
    /// - Parameter request: the request. Its body is ignored; `Content-Length` is not.
    /// - Returns: the response to a request that is rejected whatever its body is; `nil` if the request should be
    ///   passed to ``respond(to:)`` with its body.
    public func refusal(ofHead request: RemoteEvaluationRequest) -> RemoteEvaluationResponse? {
        let (head, place) = admit(headOf: request)
        let refusal: RemoteEvaluationResponse
        if case .refusal(let found) = head {
            refusal = found
        } else if announcesBody(longerThan: configuration.limits.bodyLength, request) {
            refusal = .bodyTooLong(limit: configuration.limits.bodyLength)
        } else {
            let seconds = place.flatMap { limiter?.secondsUntilToken(place: $0) }
            return seconds.map { .tooManyRequests(retryAfter: $0) }
        }
        let seconds = place.flatMap { limiter?.takeToken(place: $0) }
        return seconds.map { .tooManyRequests(retryAfter: $0) } ?? refusal
    }

    private func announcesBody(longerThan limit: Int, _ request: RemoteEvaluationRequest) -> Bool {
        guard let length = request.value(of: "content-length"), !length.isEmpty,
            length.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return false }
        // A length that no `Int` has is too long as well.
        return Int(length).map { $0 > limit } ?? true
    }

    /// Checks a request's size, credentials, path and method.
    ///
    /// - Returns: the result, and the place of the key whose rate the request counts against; `nil` if it counts
    ///   against none.
    private func admit(headOf request: RemoteEvaluationRequest) -> (HeadAdmission, place: Int?) {
        if let refusal = refusal(ofSize: request) { return (.refusal(refusal), nil) }
        guard case .granted(let permissions, let place) = access.check(request) else {
            let refusal = RemoteEvaluationResponse.failure(
                401, "present an access key, as 'Authorization: Bearer KEY' or as 'X-API-Key: KEY'.",
                headers: [("www-authenticate", "Bearer")])
            return (.refusal(refusal), nil)
        }
        let route = Route(request.path, prefix: pathPrefix)
        if let refusal = refusal(of: request, to: route, permissions) { return (.refusal(refusal), place) }
        return (admit(request, to: route), place)
    }

    private func admit(_ request: RemoteEvaluationRequest, to route: Route) -> HeadAdmission {
        let key: String
        let subject: AdmittedRequest.Subject
        switch route {
        case .unknown:
            return .refusal(
                .failure(404, "there is nothing at this path; flags are at \(pathPrefix)/ofrep/v1/evaluate/flags."))
        case .changes(let since):
            return .changes(since: since)
        case .unreadableFlag(let key):
            return .refusal(.failure(Self.unreadableKey, of: key))
        case .unreadableGoal:
            return .refusal(.failureWithoutKey(Self.unreadableKey))
        case .flag(let name):
            (key, subject) = (name, .flag(key: name))
        case .track(let goal):
            (key, subject) = (goal, .conversion(goal: goal))
        case .bulk:
            (key, subject) = ("", .bulk(ifNoneMatch: request.values(of: "if-none-match")))
        }
        guard key.utf8.count <= configuration.limits.keyLength else {
            return .refusal(
                .failure(414, "the key in the path is longer than \(configuration.limits.keyLength) bytes."))
        }
        if let type = request.value(of: "content-type"), !Self.isJSON(type) {
            return .refusal(.failure(415, "the body must be JSON; send 'Content-Type: application/json'."))
        }
        return .subject(subject)
    }

    private static let unreadableKey = FlagError(.parseError, "the key in the path is not percent-encoded UTF-8.")

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

    /// The response that rejects a request for a resource because of the key's permissions or the method; `nil` if the
    /// request is allowed.
    private func refusal(
        of request: RemoteEvaluationRequest, to route: Route, _ permissions: RemoteEvaluationKey.Permissions
    ) -> RemoteEvaluationResponse? {
        let (method, permission): (String, RemoteEvaluationKey.Permissions) =
            switch route {
            case .unknown: (request.method, [])
            case .changes: ("GET", .changes)
            case .flag, .unreadableFlag: ("POST", .flag)
            case .bulk: ("POST", .bulk)
            case .track, .unreadableGoal: ("POST", .track)
            }
        if !permissions.contains(permission) {
            return .failure(403, "the access key does not permit this; use another key.")
        }
        if request.method != method {
            return .failure(405, "use \(method) here.", headers: [("allow", method)])
        }
        return nil
    }

    private static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return name == "application/json" || (name.hasPrefix("application/") && name.hasSuffix("+json"))
    }
}
