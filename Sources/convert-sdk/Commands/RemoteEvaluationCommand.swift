import ConvertECMAScript
import ConvertRemoteEvaluation
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

/// `convert-sdk ofrep`.
struct RemoteEvaluationCommand: Command {
    private static let flag = OptionDeclaration(
        "--flag", "f",
        OptionDeclaration.Value(
            name: "KEY", candidates: .config { $0.features.compactMap(\.key) + $0.experiences.compactMap(\.key) }),
        "evaluate only this flag: the key of a feature, of an experience, or FEATURE.VARIABLE")

    static let declaration = CommandDeclaration(
        name: "ofrep", summary: "answer a request of OpenFeature's remote evaluation protocol",
        discussion: """
            Reads the body of one request from standard input, {"context": {"targetingKey": "…"}}, and prints the \
            response as one line of JSON: {"status":200,"headers":{…},"body":{…}}. Evaluates one flag, or all of the \
            config. Nothing is sent or stored.
            """,
        options: ConfigOption.declarations + [flag],
        remarks: "Exits with 1 if the status is not 200.")

    private let config: ConfigOption
    private let key: String?

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        key = arguments[Self.flag]
    }

    func run() async throws -> ExitCode {
        let body = try InputFile.read("-", for: "the request's body")
        let sdk = try await config.makeSDK()
        let path = "/ofrep/v1/evaluate/flags" + (key.map { "/" + PercentEncoding.encode($0) } ?? "")
        let response = await RemoteEvaluation(sdk: sdk).respond(
            to: RemoteEvaluationRequest(method: "POST", path: path, body: Array(body)))
        var line = JSONBytes(capacity: 64 + response.bodyBytes.count)
        line.append("{\"status\":")
        line.append(value: .integer(response.status))
        line.append(",\"headers\":{")
        for (place, header) in response.headers.enumerated() {
            if place > 0 { line.append(",") }
            line.append(quoting: header.name)
            line.append(":")
            line.append(quoting: header.value)
        }
        line.append("},\"body\":")
        if response.bodyBytes.isEmpty { line.append("null") }
        line.append(json: response.bodyBytes)
        line.append("}")
        Console.print(json: String(decoding: line.bytes, as: UTF8.self))
        return response.status == 200 ? .done : .answerIsNo
    }
}
