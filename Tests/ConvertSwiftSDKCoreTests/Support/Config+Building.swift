import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// A config with `members` besides account and project.
func config(_ members: JSObject) throws -> ProjectConfig {
    var document: JSObject = ["account_id": "1", "project": ["id": "2"]]
    for member in members { document[member.key] = member.value }
    return try ProjectConfig(json: Data(ECMAScript.jsonText(keepingNumbersOf: .object(document)).utf8))
}

/// An experience that lets everybody in and gives everybody its only variation, but for `members`. A `null` member of
/// that name stands as it is; `without` names members to be left out.
func experience(_ key: String, _ members: JSObject = [:], without: String? = nil) -> JSValue {
    var experience: JSObject = [
        "id": .string("id-" + key), "key": .string(key), "audiences": [], "locations": [],
        "settings": ["matching_options": ["audiences": "any"]],
        "variations": [["id": .string("only-" + key), "key": "only", "traffic_allocation": 100]],
    ]
    for member in members { experience[member.key] = member.value }
    if let without { experience[without] = nil }
    return .object(experience)
}

/// An audience that asks for the attribute `name` to be `yes`.
func audience(_ id: JSValue, asking name: String, type: String = "transient") -> JSValue {
    ["id": id, "key": .string("key-" + name), "type": .string(type), "rules": rules([leaf(name, "equals", "yes")])]
}

/// A location or a segment that asks for the attribute `name` to be `yes`.
func place(_ id: JSValue, asking name: String) -> JSValue {
    ["id": id, "key": .string("key-" + name), "rules": rules([leaf(name, "equals", "yes")])]
}

extension ExperienceManager {
    /// A manager of a config with `members`.
    init(
        _ members: JSObject, _ semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true,
        environment: String = "staging", callSteps: Int? = nil
    ) throws {
        var options = CompilationOptions(semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
        if let callSteps { options.callSteps = callSteps }
        self.init(project: Project(try config(members), options: options), environment: environment)
    }

    /// The first decision on `key` for a visitor without a record, with location properties given.
    func decide(
        _ key: String, _ attributes: JSObject = [:], _ change: (inout DecisionOptions) -> Void = { _ in }
    ) -> Answer<Decision> {
        var visitor = visitor(id: "visitor", attributes: attributes)
        return selectVariation(key, for: &visitor, options: .located(change))
    }
}

extension Answer<Decision> {
    var variation: BucketedVariation? { value.variation }
    var reason: Decision.Reason? { value.reason }
}

extension DecisionOptions {
    /// Options with an empty set of location properties, changed by `change`.
    static func located(_ change: (inout DecisionOptions) -> Void = { _ in }) -> DecisionOptions {
        var options = DecisionOptions()
        options.locationProperties = [:]
        change(&options)
        return options
    }
}

extension VisitorState {
    /// What is stored, from its JSON.
    init(wire value: JSValue) throws {
        self = try JSONDecoder().decode(VisitorState.self, from: JSONEncoder().encode(value))
    }
}
