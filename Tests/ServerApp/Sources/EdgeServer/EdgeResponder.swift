import ConvertRemoteEvaluation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Hands requests of the protocol on to a `RemoteEvaluation`, and writes what it answers. All other requests are the
/// router's.
struct EdgeResponder: HTTPResponder {
    /// What a request comes with. Only the router needs more.
    struct Context: InitializableFromSource {
        let channel: any Channel
        let logger: Logger

        init(source: ApplicationRequestContextSource) { (channel, logger) = (source.channel, source.logger) }

        var forRouter: BasicRequestContext {
            BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        }
    }

    let remote: RemoteEvaluationService
    let others: any HTTPResponder<BasicRequestContext>

    func respond(to request: Request, context: Context) async throws -> Response {
        let path = request.head.path ?? ""
        guard RemoteEvaluationService.serves(path) else {
            return try await others.respond(to: request, context: context.forRouter)
        }
        return Response(await answer(request, path))
    }

    private func answer(_ request: Request, _ path: String) async -> RemoteEvaluationResponse {
        let limit = remote.bodyLimit
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        // A client that announces too much need not send it.
        guard announced <= limit, let body = try? await request.body.collect(upTo: limit) else {
            return remote.counted(.bodyTooLong(limit: limit))
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
