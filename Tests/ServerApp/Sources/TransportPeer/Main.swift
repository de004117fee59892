import AsyncHTTPClient
import Bridges
import ConvertTransport
import Foundation

/// Sends the requests that it reads from standard input over `AsyncHTTPTransport`, and writes what came of them, a line
/// of JSON each: so the package's own tests try a transport whose dependencies the package does not have.
@main
enum Main {
    static func main() async throws {
        let client = HTTPClient(configuration: AsyncHTTPTransport.configuration)
        let transport = AsyncHTTPTransport(client: client)
        var sending: [Int: Task<Void, Never>] = [:]
        for await line in lines() {
            guard let question = try? JSONDecoder().decode(Question.self, from: Data(line.utf8)) else { continue }
            if question.isCancelled {
                sending[question.id]?.cancel()
            } else if let url = URL(string: question.url) {
                sending[question.id] = Task {
                    write(await answer(question, HTTPRequest(question, url: url), over: transport))
                }
            }
        }
        for task in sending.values { task.cancel() }
        try await client.shutdown()
    }

    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private static func answer(
        _ question: Question, _ request: HTTPRequest, over transport: AsyncHTTPTransport
    ) async -> Answer {
        do {
            let response = try await transport.send(request)
            return Answer(id: question.id, status: response.status, headers: response.headers, body: response.body)
        } catch let error as TransportError {
            return Answer(id: question.id, status: error.status, error: error.code.description, host: error.host)
        } catch {
            return Answer(id: question.id, error: "cancelled")
        }
    }

    private static func write(_ answer: Answer) {
        guard let line = try? JSONEncoder().encode(answer) else { return }
        // One call for a line, so that lines of several tasks do not mix.
        try? FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
    }
}

private struct Question: Decodable {
    let id: Int
    let isCancelled: Bool
    let method: String
    let url: String
    let headers: [String: String]
    let body: Data?
    let timeout: TimeInterval
    let maximumResponseLength: Int
}

private struct Answer: Encodable {
    let id: Int
    var status: Int?
    var headers: [String: String]?
    var body: Data?
    var error: String?
    var host: String?
}

extension HTTPRequest {
    fileprivate init(_ question: Question, url: URL) {
        self.init(
            method: question.method, url: url, headers: question.headers, body: question.body,
            timeout: question.timeout, maximumResponseLength: question.maximumResponseLength)
    }
}
