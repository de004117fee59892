import ConvertSwiftSDKCore
import Foundation
import Testing

struct ConfigErrorTests {
    /// The error that `json` is refused with.
    private func refusal(_ json: String) throws -> ConfigError {
        try #require(throws: ConfigError.self) { try ProjectConfig(json: Data(json.utf8)) }
    }

    static let refusals: [(json: String, code: ConfigError.Code, path: String)] = [
        ("", .invalidJSON, "$"),
        (" ", .invalidJSON, "$"),
        ("{", .invalidJSON, "$"),
        (#"{"account_id": "1", "project": {"id": "2"}"#, .invalidJSON, "$"),
        (#"{"account_id": "1", "project": {"id": "2"}} x"#, .invalidJSON, "$"),
        (#"{"account_id": "1",, "project": {"id": "2"}}"#, .invalidJSON, "$"),
        ("<html></html>", .invalidJSON, "$"),
        ("[]", .notAnObject, "$"),
        (#""text""#, .notAnObject, "$"),
        ("7", .notAnObject, "$"),
        ("null", .notAnObject, "$"),
        ("true", .notAnObject, "$"),
        (#"{"error": "Unknown SDK key"}"#, .errorDocument, "$.error"),
        (#"{"error": {"code": 404}}"#, .errorDocument, "$.error"),
        (#"{"error": true, "account_id": "1", "project": {"id": "2"}}"#, .errorDocument, "$.error"),
        ("{}", .missingMember, "$.account_id"),
        (#"{"account_id": "", "project": {"id": "2"}}"#, .missingMember, "$.account_id"),
        (#"{"account_id": 0, "project": {"id": "2"}}"#, .missingMember, "$.account_id"),
        (#"{"account_id": null, "project": {"id": "2"}}"#, .missingMember, "$.account_id"),
        (#"{"account_id": ["1"], "project": {"id": "2"}}"#, .missingMember, "$.account_id"),
        (#"{"account_id": "1"}"#, .missingMember, "$.project.id"),
        (#"{"account_id": "1", "project": "2"}"#, .missingMember, "$.project.id"),
        (#"{"account_id": "1", "project": []}"#, .missingMember, "$.project.id"),
        (#"{"account_id": "1", "project": {}}"#, .missingMember, "$.project.id"),
        (#"{"account_id": "1", "project": {"id": ""}}"#, .missingMember, "$.project.id"),
        (#"{"account_id": "1", "project": {"id": null}}"#, .missingMember, "$.project.id"),
    ]

    @Test(arguments: refusals)
    func anInvalidConfigIsRefusedWithCodeAndPath(json: String, code: ConfigError.Code, path: String) throws {
        let error = try refusal(json)
        #expect(error.code == code)
        #expect(error.path == path)
    }

    @Test(arguments: refusals) func aRefusalSaysSomethingInOneLine(json: String, _: ConfigError.Code, path: String)
        throws
    {
        let error = try refusal(json)
        #expect(error.description == "\(path): \(error.message)")
        #expect(error.message.count > 20)
        #expect(!error.message.contains("\n"))
    }

    @Test(arguments: ["null", "false", "0", #""""#]) func anEmptyErrorIsIgnored(error: String) throws {
        _ = try ProjectConfig(json: Data(#"{"error": \#(error), "account_id": "1", "project": {"id": "2"}}"#.utf8))
    }

    @Test func anErrorDocumentIsQuotedInPartOnly() throws {
        let error = try refusal(#"{"error": "\#(String(repeating: "x", count: 10_000))"}"#)
        #expect(error.message.contains("xxx"))
        #expect(error.message.count < 400)
    }

    @Test func aFileOfAnotherFormatIsNamed() {
        let error = #expect(throws: ConfigError.self) { try ProjectConfig(json: Data([0x1f, 0x8b, 8, 0])) }
        #expect(error?.description == "$: the document is gzip-compressed; decompress it first with gunzip.")
    }
}
