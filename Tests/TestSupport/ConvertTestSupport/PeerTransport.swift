import ConvertConcurrency
package import ConvertTransport
import Foundation

/// The transport that tests of transports try.
///
/// That is `SystemTransport`, unless the environment's `CONVERT_TRANSPORT` names a program. Then it is the one over
/// which that program sends: it reads requests from standard input and writes what came of them, a line of JSON each.
/// So a transport over packages that this one does not depend on meets the same tests.
package func transportUnderTest() -> any HTTPTransport { PeerTransport.shared ?? SystemTransport() }

/// Sends requests over another process.
private final class PeerTransport: HTTPTransport {
    static let shared: PeerTransport? = ProcessInfo.processInfo.environment["CONVERT_TRANSPORT"].flatMap {
        try? PeerTransport(program: URL(fileURLWithPath: $0))
    }

    private struct State {
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
    }

    private let state = Mutex(State())
    private let input = Pipe()

    private init(program: URL) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        Thread.detachNewThread { [weak self] in
            var buffer = Data()
            while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                buffer += data
                while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    self?.take(buffer[buffer.startIndex..<end])
                    buffer = Data(buffer[buffer.index(after: end)...])
                }
            }
        }
    }

    private func take(_ line: Data) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: line) else { return }
        state.withLock { $0.waiting.removeValue(forKey: answer.id) }?.resume(returning: answer)
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting[id] = continuation }
                write(Question(id: id, request))
                // If it was cancelled before it was written.
                if Task.isCancelled { write(Question(cancelling: id)) }
            }
        } onCancel: {
            write(Question(cancelling: id))
        }
        return try answer.response()
    }

    private func write(_ question: Question) {
        guard let line = try? JSONEncoder().encode(question) else { return }
        // One call of the file handle at a time, so that lines do not mix.
        state.withLock { _ in try? input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8)) }
    }
}

private struct Question: Encodable {
    let id: Int
    var isCancelled = false
    var method = ""
    var url = ""
    var headers: [String: String] = [:]
    var body: Data?
    var timeout = 0.0
    var maximumResponseLength = 0

    init(cancelling id: Int) {
        self.id = id
        isCancelled = true
    }

    init(id: Int, _ request: HTTPRequest) {
        self.id = id
        method = request.method
        url = request.url.absoluteString
        headers = request.headers
        body = request.body
        timeout = request.timeout
        maximumResponseLength = request.maximumResponseLength
    }
}

private struct Answer: Decodable {
    let id: Int
    let status: Int?
    let headers: [String: String]?
    let body: Data?
    let error: String?
    let host: String?

    private static let codes: [TransportError.Code] = [
        .invalidRequest, .hostNotFound, .cannotConnect, .insecureConnection, .timedOut, .interrupted, .responseTooLong,
        .malformedResponse, .other,
    ]

    func response() throws -> HTTPResponse {
        guard let error else { return HTTPResponse(status: status ?? 0, headers: headers ?? [:], body: body ?? Data()) }
        guard let code = Self.codes.first(where: { $0.description == error }) else { throw CancellationError() }
        throw TransportError(code, host: host, status: status)
    }
}
