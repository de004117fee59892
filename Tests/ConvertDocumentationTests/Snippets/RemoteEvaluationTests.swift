import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

/// What the articles of `ConvertRemoteEvaluation` show.
struct RemoteEvaluationTests {
    private func makeSDK() throws -> ConvertSDK {
        var file = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { file.deleteLastPathComponent() }
        file.append(path: "TestVectors/configs/demo-shop.json")
        return try ConvertSDK(configData: Data(contentsOf: file), environment: "production", mode: .offline)
    }

    @Test func aServerHandsRequestsOn() async throws {
        let convert = try makeSDK()
        let remote = RemoteEvaluation(sdk: convert)
        let response = await remote.respond(
            to: RemoteEvaluationRequest(
                method: "POST", path: "/ofrep/v1/evaluate/flags/checkout-form",
                headers: [("Content-Type", "application/json")],
                body: Array(#"{"context": {"targetingKey": "visitor-4", "orders": 2, "customer_id": "c-1"}}"#.utf8)))
        #expect(response.status == 200)
        var written: [UInt8] = []
        switch response.body {
        case .bytes(let bytes): written += bytes
        case .changes(let stream): for await chunk in stream { written += chunk }
        }
        #expect(String(decoding: written, as: UTF8.self).contains(#""key":"checkout-form""#))
    }
}
