import ConvertECMAScript

/// The protocol's response bodies about flags.
extension RemoteEvaluationResponse {
    /// The response for one flag.
    static func flag(_ key: String, _ evaluation: FlagEvaluation) -> RemoteEvaluationResponse {
        var json = JSONBytes(capacity: 256)
        json.append(key, evaluation)
        return RemoteEvaluationResponse(200, body: json.bytes)
    }

    /// The response for one flag that could not be evaluated.
    static func failure(_ error: FlagError, of key: String) -> RemoteEvaluationResponse {
        if error.code == .providerNotReady { return .unavailable(error.details) }
        var json = JSONBytes(capacity: 192)
        json.append(key, error)
        return RemoteEvaluationResponse(error.code == .flagNotFound ? 404 : 400, body: json.bytes)
    }

    /// The response to a request without a flag's key that could not be read.
    static func failureWithoutKey(_ error: FlagError) -> RemoteEvaluationResponse {
        var json = JSONBytes(capacity: 192)
        json.append("{")
        json.appendMembers(of: error)
        return RemoteEvaluationResponse(400, body: json.bytes)
    }

    /// The response for all flags, or 304 if the client already has it.
    ///
    /// - Parameters:
    ///   - revision: the config's revision.
    ///   - ifNoneMatch: the request's `If-None-Match` fields.
    ///   - changesTarget: the location of the stream of config changes; `nil` leaves it out.
    static func bulk(
        _ flags: [(key: String, outcome: FlagEvaluator.Outcome)], revision: String?, ifNoneMatch: [String],
        changesTarget: String?
    ) -> RemoteEvaluationResponse {
        var json = JSONBytes(capacity: 64 + flags.count * 192)
        json.append("{\"flags\":[")
        for (place, flag) in flags.enumerated() {
            if place > 0 { json.append(",") }
            switch flag.outcome {
            case .success(let evaluation): json.append(flag.key, evaluation)
            case .failure(let error): json.append(flag.key, error)
            }
        }
        json.append("]")
        if let revision {
            json.append(",\"metadata\":{\"configRevision\":")
            json.append(quoting: revision)
            json.append("}")
        }
        if let changesTarget {
            json.append(",\"eventStreams\":[{\"type\":\"sse\",\"endpoint\":{\"requestUri\":")
            json.append(quoting: changesTarget)
            json.append("}}]")
        }
        json.append("}")
        let tag = EntityTags.tag(of: json.bytes)
        let headers = [(name: "etag", value: tag)]
        if ifNoneMatch.contains(where: { EntityTags.matches($0, tag) }) {
            return RemoteEvaluationResponse(withoutBody: 304, headers: headers)
        }
        return RemoteEvaluationResponse(200, headers: headers, body: json.bytes)
    }
}

extension JSONBytes {
    /// Appends the protocol's `evaluationSuccess`.
    fileprivate mutating func append(_ key: String, _ evaluation: FlagEvaluation) {
        append("{\"key\":")
        append(quoting: key)
        if let value = evaluation.value {
            append(",\"value\":")
            if evaluation.isFloat { append(float: value) } else { append(value: value) }
        }
        append(",\"reason\":")
        append(quoting: evaluation.reason.rawValue)
        append(",\"variant\":")
        append(quoting: evaluation.variant)
        append(",\"metadata\":")
        if let json = evaluation.metadataJSON { append(json: json) } else { append(members: evaluation.metadata) }
        append("}")
    }

    /// Appends the protocol's `evaluationFailure` or `flagNotFound`.
    fileprivate mutating func append(_ key: String, _ error: FlagError) {
        append("{\"key\":")
        append(quoting: key)
        append(",")
        appendMembers(of: error)
    }

    /// Appends an error's members, and the end of its object.
    fileprivate mutating func appendMembers(of error: FlagError) {
        append("\"errorCode\":")
        append(quoting: error.code.rawValue)
        append(",\"errorDetails\":")
        append(quoting: error.details)
        append("}")
    }

    /// Appends a number with a fraction, because clients distinguish `10.0` from `10`.
    private mutating func append(float value: JSValue) {
        var text = ECMAScript.jsonText(of: value)
        if value.numberValue != nil, text.utf8.allSatisfy({ $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "e") }) {
            text += ".0"
        }
        append(json: text.utf8)
    }
}
