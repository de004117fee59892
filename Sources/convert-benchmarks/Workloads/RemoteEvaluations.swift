import ConvertECMAScript
import ConvertRemoteEvaluation
import ConvertSwiftSDK

/// W1 over OpenFeature's remote evaluation protocol, from the bytes of a request to the bytes of its response.
struct RemoteEvaluations: Sendable {
    static let workload = Workload(
        id: "W1-ofrep", summary: "W1 over OFREP, from a request's bytes to a response's", goal: 5_000,
        expected: DecideOne.check,
        runner: .timed(operations: DecideOne.visitorCount) { inputs in
            let evaluations = try RemoteEvaluations(inputs)
            return { evaluations.evaluate() }
        })

    /// The offset of the variation's number in `{"key":"exp-0","value":"exp-0-var-N"`.
    private static let numberPlace = 34

    private let remote: RemoteEvaluation
    private let requests: [RemoteEvaluationRequest]

    private init(_ inputs: Inputs) throws {
        var configuration = SDKConfiguration()
        configuration.environment = "production"
        configuration.isTrackingEnabled = false
        configuration.logLevel = .silent
        let sdk = try ConvertSDK(configData: inputs.data("w1-config.json"), configuration: configuration)
        var answers = RemoteEvaluationConfiguration()
        answers.exposureReports = .never
        answers.accessKeys = [RemoteEvaluationKey("benchmark")]
        remote = RemoteEvaluation(sdk: sdk, configuration: answers)
        let attributes = try inputs.attributeSets("w1-attributes.json")
        guard attributes.count == 64 else {
            throw BenchmarkFailure(description: "W1-ofrep: there are \(attributes.count) attribute sets, not 64")
        }
        requests = (0..<DecideOne.visitorCount).map { number in
            var context = attributes[number & 63]
            context["targetingKey"] = .string("v\(number)")
            return RemoteEvaluationRequest(
                method: "POST", path: "/ofrep/v1/evaluate/flags/exp-0",
                headers: [
                    ("Host", "localhost"), ("Content-Type", "application/json"), ("Authorization", "Bearer benchmark"),
                ],
                body: Array(ECMAScript.jsonText(of: ["context": .object(context)]).utf8))
        }
    }

    private func evaluate() -> String {
        var first = 0
        var second = 0
        var none = 0
        for request in requests {
            let body = remote.respondAtOnce(to: request).bodyBytes
            switch body.count > Self.numberPlace ? body[Self.numberPlace] : 0 {
            case UInt8(ascii: "0"): first += 1
            case UInt8(ascii: "1"): second += 1
            default: none += 1
            }
        }
        return "var-0 \(first), var-1 \(second), none \(none)"
    }
}
