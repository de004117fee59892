import Foundation
import Testing

struct RemoteEvaluationCommandTests {
    private static let shop = "TestVectors/configs/demo-shop.json"

    private func ofrep(_ body: String, _ arguments: String...) throws -> Tool.Run {
        let config = Documentation.root.appending(path: Self.shop).path
        return try Tool.run(["ofrep", "--config", config] + arguments, input: body)
    }

    @Test func oneFlagIsOneLineWithStatusHeadersAndBody() throws {
        let run = try ofrep(#"{"context": {"targetingKey": "visitor-4"}}"#, "--flag", "new-navigation")
        #expect(run.status == 0 && run.complaints.isEmpty)
        #expect(run.output.hasPrefix(#"{"status":200,"headers":{"content-type":"application/json"},"body":{"key":"#))
        #expect(run.output.hasSuffix("}}\n") && run.output.filter { $0 == "\n" }.count == 1)
        #expect(run.output.contains(#""value":"classic""#))
    }

    @Test func allFlagsComeWithATag() throws {
        let run = try ofrep(#"{"context": {"targetingKey": "visitor-4"}}"#)
        let answer = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let headers = answer["headers"] as? [String: String]
        #expect(headers?["etag"]?.hasPrefix("\"") == true)
        #expect(((answer["body"] as? [String: Any])?["flags"] as? [Any])?.count ?? 0 > 5)
    }

    @Test func theEnvironmentDecides() throws {
        let body = #"{"context": {"targetingKey": "v", "revenue": 5000, "location": {"path": "/products/9"}}}"#
        #expect(try ofrep(body, "--flag", "product-reviews").output.contains("otherEnvironment"))
        let run = try ofrep(body, "--flag", "product-reviews", "--environment", "production")
        #expect(!run.output.contains("otherEnvironment"))
    }

    @Test(arguments: [
        ("", "new-navigation", 400), (#"{"context": {}}"#, "new-navigation", 400),
        (#"{"context": {"targetingKey": "v"}}"#, "new navigation", 404),
    ])
    func anErrorOfTheProtocolIsPrintedToo(body: String, flag: String, status: Int) throws {
        let run = try ofrep(body, "--flag", flag)
        #expect(run.status == 1 && run.output.hasPrefix("{\"status\":\(status),"))
    }

    @Test func theConfigCannotComeFromStandardInput() throws {
        let run = try Tool.run("ofrep", "--config", "-", input: #"{"context": {"targetingKey": "v"}}"#)
        #expect(run.status == 2 && run.errors.contains("standard input is read for the request's body"))
    }
}
