import ConvertECMAScript
import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

/// A remote evaluation on a project with a flag for each row of the mapping.
struct Flags {
    static let config = """
        {"account_id": "1", "project": {"id": "2"}, "archived_experiences": ["e6"],
        "audiences": [{"id": "a1", "key": "insiders", "type": "transient", "rules": {"OR": [{"AND": [{"OR_WHEN": [
        {"rule_type": "generic_text_key_value", "key": "plan", "value": "insider",
        "matching": {"match_type": "equals", "negated": false}}]}]}]}}],
        "locations": [{"id": "l1", "key": "checkout-page", "rules": {"OR": [{"AND": [{"OR_WHEN": [
        {"rule_type": "generic_text_key_value", "key": "path", "value": "/checkout",
        "matching": {"match_type": "equals", "negated": false}}]}]}]}}],
        "features": [{"id": "f1", "key": "form", "variables": [{"key": "headline", "type": "string"},
        {"key": "limit", "type": "integer"}, {"key": "ratio", "type": "float"}, {"key": "isShort", "type": "boolean"},
        {"key": "layout", "type": "json"}, {"key": "steps", "type": "json"}, {"key": "broken", "type": "integer"},
        {"key": "unset", "type": "string"}]}, {"id": "f2", "key": "fast"}, {"id": "f3", "key": "old"},
        {"id": "f4", "key": "idle"}],
        "goals": [{"id": "g1", "key": "purchase"}],
        "experiences": [
        {"id": "e1", "key": "checkout", "version": 8, "variations": [{"id": "v1", "key": "one-page",
        "traffic_allocation": 50, "changes": [{"type": "fullStackFeature", "data": {"feature_id": "f1",
        "variables_data": {"headline": "Almost there", "limit": "12", "ratio": "10", "isShort": "true",
        "layout": "{\\"columns\\": 2}", "steps": "[1, 2]", "broken": "many"}}}]},
        {"id": "v2", "key": "classic", "traffic_allocation": 50}]},
        {"id": "e2", "key": "rollout", "version": 8, "variations": [{"id": "v3", "key": "on", "traffic_allocation": 100,
        "changes": [{"type": "fullStackFeature", "data": {"feature_id": "f2", "variables_data": {}}}]}]},
        {"id": "e3", "key": "insider-menu", "version": 8, "audiences": ["a1"],
        "settings": {"matching_options": {"audiences": "any"}},
        "variations": [{"id": "v4", "key": "wide", "traffic_allocation": 100}]},
        {"id": "e4", "key": "at-checkout", "version": 8, "locations": ["l1"],
        "variations": [{"id": "v5", "key": "here", "traffic_allocation": 100}]},
        {"id": "e6", "key": "finished", "version": 8, "variations": [{"id": "v6", "key": "gone",
        "traffic_allocation": 100, "changes": [{"type": "fullStackFeature", "data": {"feature_id": "f3",
        "variables_data": {}}}]}]}]}
        """

    let sdk: ConvertSDK
    let remote: RemoteEvaluation

    /// An SDK for tests on ``config``.
    init(_ configuration: RemoteEvaluationConfiguration = RemoteEvaluationConfiguration()) throws {
        self.init(ConvertSDK(testing: try TestProject(json: Self.config)), configuration)
    }

    init(_ sdk: ConvertSDK, _ configuration: RemoteEvaluationConfiguration = RemoteEvaluationConfiguration()) {
        self.sdk = sdk
        remote = RemoteEvaluation(sdk: sdk, configuration: configuration)
    }

    /// Posts a context to a path of the protocol.
    func post(
        _ path: String, _ context: JSObject, headers: [(name: String, value: String)] = []
    ) async throws -> Answer {
        let body: JSValue = ["context": .object(context)]
        return try await send("POST", "/ofrep/v1/evaluate/flags" + path, headers, Array("\(body)".utf8))
    }

    func send(
        _ method: String, _ path: String, _ headers: [(name: String, value: String)] = [], _ body: [UInt8] = []
    ) async throws -> Answer {
        try Answer(
            await remote.respond(
                to: RemoteEvaluationRequest(method: method, path: path, headers: headers, body: body)))
    }

    /// Evaluates one flag for a visitor.
    func evaluate(_ key: String, _ visitor: String, _ rest: JSObject = [:]) async throws -> Answer {
        try await post("/" + key, Self.context(visitor, rest))
    }

    /// Evaluates all flags for a visitor.
    func evaluateAll(_ visitor: String, _ rest: JSObject = [:]) async throws -> Answer {
        try await post("", Self.context(visitor, rest))
    }

    static func context(_ visitor: String, _ rest: JSObject = [:]) -> JSObject {
        var context: JSObject = ["targetingKey": .string(visitor)]
        for member in rest { context[member.key] = member.value }
        return context
    }

    /// A visitor whom the hash gives a variation of the experiment `checkout`.
    func visitor(seeing variation: String) throws -> String {
        let ids = (0..<100).lazy.map { "visitor-\($0)" }
        return try #require(
            ids.first {
                sdk.createContext(visitorID: $0).decide("checkout", exposure: false).variation?.variationKey
                    == variation
            })
    }
}

/// A response with its body read.
struct Answer {
    let status: Int
    let headers: [String: String]
    let text: String
    let body: JSObject

    init(_ response: RemoteEvaluationResponse) throws {
        status = response.status
        headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        text = String(decoding: response.bodyBytes, as: UTF8.self)
        body = text.isEmpty ? [:] : try JSValue(json: Data(response.bodyBytes)).objectValue ?? [:]
    }

    subscript(name: String) -> JSValue? { body[name] }

    /// A member that is text.
    func text(_ name: String) -> String? { body[name]?.stringValue }

    /// A member of the metadata that is text.
    func fact(_ name: String) -> String? { metadata[name]?.stringValue }

    var metadata: JSObject { body["metadata"]?.objectValue ?? [:] }

    /// The flags of a bulk answer.
    var flags: [JSObject] { body["flags"]?.arrayValue?.compactMap(\.objectValue) ?? [] }

    /// The flag of a bulk answer with the key.
    func flag(_ key: String) -> JSObject? { flags.first { $0["key"] == .string(key) } }
}
