import ConvertRemoteEvaluation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Hands requests of the protocol on to a `RemoteEvaluation`, and writes what it answers.
struct RemoteEvaluationMiddleware<Context: RequestContext>: RouterMiddleware {
    let remote: RemoteEvaluation
    let metrics: EdgeMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.string
        guard path.hasPrefix("/ofrep/") || path.hasPrefix("/convert/") else { return try await next(request, context) }
        let answer = await answer(request, path)
        metrics.count(status: answer.status)
        return Response(answer)
    }

    private func answer(_ request: Request, _ path: String) async -> RemoteEvaluationResponse {
        let limit = remote.configuration.limits.bodyLength
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        // A client that announces too much need not send it.
        guard announced <= limit, let body = try? await request.body.collect(upTo: limit) else {
            return .bodyTooLong(limit: limit)
        }
        return await remote.respond(
            to: RemoteEvaluationRequest(
                method: request.method.rawValue, path: path,
                headers: request.headers.map { ($0.name.rawName, $0.value) }, body: Array(body.readableBytesView)))
    }
}

extension Response {
    fileprivate init(_ answer: RemoteEvaluationResponse) {
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let body =
            switch answer.body {
            case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            case .changes(let stream):
                ResponseBody { writer in
                    // A client's stream must not hold up the end of the server. With a sequence that is cancelled
                    // then, each stream would take two more tasks.
                    try await withGracefulShutdownHandler {
                        for await chunk in stream { try await writer.write(ByteBuffer(bytes: chunk)) }
                    } onGracefulShutdown: {
                        stream.end()
                    }
                    try await writer.finish(nil)
                }
            }
        self.init(status: HTTPResponse.Status(code: answer.status), headers: headers, body: body)
    }
}
