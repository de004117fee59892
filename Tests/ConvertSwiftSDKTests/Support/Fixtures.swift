import ConvertSwiftSDKCore
import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// A project with one of everything.
enum Fixture {
    static func rules(_ key: String, _ value: String) -> String {
        """
        {"OR": [{"AND": [{"OR_WHEN": [{"rule_type": "generic_text_key_value", "key": "\(key)", "value": "\(value)",
        "matching": {"match_type": "equals", "negated": false}}]}]}]}
        """
    }

    static let json = """
        {"account_id": "10", "project": {"id": "20"}, "archived_experiences": ["94"],
        "audiences": [{"id": "1", "key": "pro", "rules": \(rules("plan", "pro"))}],
        "segments": [{"id": "2", "key": "buyers", "rules": \(rules("bought", "yes"))}],
        "locations": [{"id": "3", "key": "home", "name": "Home", "rules": \(rules("page", "home"))}],
        "goals": [{"id": "4", "key": "purchase"}, {"id": "5", "key": "big", "rules": \(rules("size", "big"))}],
        "features": [{"id": "6", "key": "flow", "name": "Flow", "variables": [{"key": "on", "type": "boolean"},
        {"key": "size", "type": "integer"}, {"key": "rate", "type": "float"}, {"key": "copy", "type": "string"},
        {"key": "data", "type": "json"}]}, {"id": "7", "key": "other"}],
        "experiences": [
        {"id": "90", "key": "all", "name": "All", "version": 11, "environments": ["production", "staging"],
        "variations": [
        {"id": "900", "key": "all-a", "traffic_allocation": 50},
        {"id": "901", "key": "all-b", "traffic_allocation": 50, "changes": [{"type": "fullStackFeature", "data":
        {"feature_id": "6", "variables_data": {"on": "true", "size": "24px", "rate": "0.5", "copy": 7,
        "data": "{\\"a\\": 1}"}}}]}]},
        {"id": "91", "key": "pros", "audiences": ["1"], "settings": {"matching_options": {"audiences": "any"}},
        "variations": [{"id": "910", "key": "pros-a", "traffic_allocation": 100}]},
        {"id": "92", "key": "home", "locations": ["3"], "variations": [{"id": "920", "key": "home-a"}]},
        {"id": "93", "key": "live", "environment": "production", "variations": [{"id": "930", "key": "live-a"}]},
        {"id": "94", "key": "gone", "variations": [{"id": "940", "key": "gone-a"}]},
        {"id": "95", "key": "carrier", "audiences": ["1"], "settings": {"matching_options": {"audiences": "any"}},
        "variations": [{"id": "950", "key": "carrier-a", "changes": [{"type": "fullStackFeature", "data":
        {"feature_id": "6", "variables_data": {"on": "true", "size": "24px", "rate": "0.5", "copy": 7,
        "data": "{\\"a\\": 1}"}}}]}]}]}
        """

    static let data = Data(json.utf8)

    static func config() throws -> ProjectConfig { try ProjectConfig(json: data) }

    /// A later config of the same project, with another experience.
    static let laterData = Data(
        """
        {"account_id": "10", "project": {"id": "20"},
        "experiences": [{"id": "99", "key": "new", "variations": [{"id": "990", "key": "new-a"}]}]}
        """.utf8)

    /// An SDK on a clock that stands still.
    static func sdk(
        source: ConfigSource? = nil, clock: StepClock = StepClock(),
        transport: any HTTPTransport = ScriptedTransport(status: 200), secret: String? = nil,
        _ configure: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.logger = RecordingLogger()
        configure(&configuration)
        return ConvertSDK(
            source: try source ?? .fixed(config()), secret: secret, configuration: configuration, transport: transport,
            surroundings: Surroundings(time: clock, makeGenerator: { SeededGenerator(seed: 1) }))
    }

    /// An SDK that fetches its config.
    static func fetchingSDK(
        key: String = "10/20", secret: String? = nil, clock: StepClock = StepClock(), transport: any HTTPTransport,
        _ configure: (inout SDKConfiguration) -> Void = { _ in }
    ) -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.logger = RecordingLogger()
        configure(&configuration)
        return ConvertSDK(
            source: .cdn(ConfigEndpoint(sdkKey: key, secret: secret, configuration: configuration)), secret: secret,
            configuration: configuration, transport: transport,
            surroundings: Surroundings(time: clock, makeGenerator: { SeededGenerator(seed: 1) }))
    }

    /// The variation of the experience for all where the hash puts a visitor.
    static func variationID(of visitorID: String) throws -> String? {
        try sdk().createContext(visitorID: visitorID).decide("all").variation?.variationID
    }

    static func temporaryFile() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("convert-\(UUID().uuidString)").path
    }
}

extension DecisionOptions {
    /// Options that differ from the defaults in what `change` changes.
    static func with(_ change: (inout DecisionOptions) -> Void) -> DecisionOptions {
        var options = DecisionOptions()
        change(&options)
        return options
    }
}
