import ConvertSwiftSDKCore
import ConvertRemoteEvaluation
import ConvertSwiftSDK
import Dispatch
import Foundation

/// libFuzzer's entry: a request to a remote evaluation, as text. See `Tests/README.md` for the command.
///
/// The first line has the method and the path, the next ones header fields, and behind an empty line comes the body.
/// Whatever arrives, nothing may trap or hang, and the answer has a status of the protocol and a body of JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let head = input.firstRange(of: Array("\n\n".utf8))
    let lines = String(decoding: input[..<(head?.lowerBound ?? count)], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
    let target = (lines.first ?? "").split(separator: " ", maxSplits: 1)
    let fields = lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (name: String(parts.first ?? ""), value: String(parts.dropFirst().first ?? ""))
    }
    let request = RemoteEvaluationRequest(
        method: String(target.first ?? ""), path: String(target.dropFirst().first ?? ""), headers: fields,
        body: Array(input[(head?.upperBound ?? count)...]))
    let response = answer(request)
    precondition(statuses.contains(response.status), "the status \(response.status)")
    if let refusal = flags.refusal(ofHead: request), refusal.status != 413 {
        precondition(refusal.status == response.status, "the head alone is answered with \(refusal.status)")
    }
    let body = Data(response.bodyBytes)
    precondition(body.isEmpty || (try? JSONSerialization.jsonObject(with: body)) != nil, "a body that is no JSON")
    return 0
}

private let statuses: Set<Int> = [200, 202, 304, 400, 401, 403, 404, 405, 409, 413, 414, 415, 429, 431, 500, 503]

private let flags: RemoteEvaluation = {
    let file = URL(fileURLWithPath: "TestVectors/configs/demo-shop.json")
    guard let config = try? ProjectConfig(json: Data(contentsOf: file)) else {
        preconditionFailure("run it from the package's folder: \(file.path) is missing")
    }
    var configuration = SDKConfiguration()
    configuration.environment = "production"
    configuration.logLevel = .silent
    var answers = RemoteEvaluationConfiguration()
    answers.allowsPreviews = true
    return RemoteEvaluation(
        sdk: ConvertSDK(config: config, mode: .offline, configuration: configuration), configuration: answers)
}()

/// What came of a request, handed from a task to the fuzzer's thread.
private final class Handover: @unchecked Sendable {
    // Sendable: the thread reads it after the semaphore that the task signals.
    var response: RemoteEvaluationResponse?
}

private func answer(_ request: RemoteEvaluationRequest) -> RemoteEvaluationResponse {
    let handover = Handover()
    let isAnswered = DispatchSemaphore(value: 0)
    Task.detached {
        handover.response = await flags.respond(to: request)
        isAnswered.signal()
    }
    isAnswered.wait()
    guard let response = handover.response else { preconditionFailure("no answer") }
    return response
}
