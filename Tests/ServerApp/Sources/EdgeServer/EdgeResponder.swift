import ConvertRemoteEvaluation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTPTypes
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

    let evaluation: CountedEvaluation
    let others: any HTTPResponder<BasicRequestContext>

    func respond(to request: Request, context: Context) async throws -> Response {
        let path = request.head.path ?? ""
        guard CountedEvaluation.serves(path) else {
            return try await others.respond(to: request, context: context.forRouter)
        }
        var evaluated = RemoteEvaluationRequest(
            method: request.method.rawValue, path: path, headers: request.headers.map { ($0.name.rawName, $0.value) })
        for try await part in request.body {
            evaluated.body += part.readableBytesView
            if evaluated.body.count > evaluation.bodyLimit { break }
        }
        return Response(
            await evaluation.respond(to: evaluated), to: request, on: context.channel,
            endsConnection: evaluated.body.count > evaluation.bodyLimit)
    }
}

extension Response {
    /// - Parameter endsConnection: whether the rest of the request is not read.
    fileprivate init(
        _ answer: RemoteEvaluationResponse, to request: Request, on channel: any Channel, endsConnection: Bool
    ) {
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        if endsConnection { headers[.connection] = "close" }
        let body =
            switch answer.body {
            case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            case .changes(let stream):
                ResponseBody { writer in
                    // Others may open a stream as soon as the client has gone.
                    channel.closeFuture.whenComplete { _ in stream.end() }
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
        let response = Response(status: HTTPResponse.Status(code: answer.status), headers: headers, body: body)
        self = request.method == .head ? response.createHeadResponse() : response
    }
}
