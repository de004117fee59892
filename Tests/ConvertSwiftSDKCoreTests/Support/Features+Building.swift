import ConvertECMAScript
import ConvertSwiftSDKCore

/// A declared feature, with the type of each variable.
func feature(_ id: JSValue, _ key: String, _ types: JSObject = [:]) -> JSValue {
    [
        "id": id, "key": .string(key),
        "variables": .array(types.map { ["key": .string($0.key.name), "type": $0.value] }),
    ]
}

/// The changes of a variation that carries the features `ids`, all with `variables`.
func changes(carrying ids: [JSValue], _ variables: JSValue? = nil) -> JSValue {
    .array(
        ids.map { id in
            var data: JSObject = ["feature_id": id]
            data["variables_data"] = variables
            return ["id": 1, "type": "fullStackFeature", "data": .object(data)]
        })
}

/// An experience that gives everybody its only variation, which carries the features `ids`.
func carrier(_ key: String, of ids: [JSValue], _ variables: JSValue? = nil, _ members: JSObject = [:]) -> JSValue {
    let only: JSValue = [
        "id": .string("only-" + key), "traffic_allocation": 100, "changes": changes(carrying: ids, variables),
    ]
    return experience(key, (["variations": [only]] as JSObject).deepMerging(members))
}

extension FeatureManager {
    /// A manager of a config with `members`.
    init(_ members: JSObject, _ semantics: RuleSemantics = .standard) throws {
        self.init(experiences: try ExperienceManager(members, semantics))
    }

    /// A visitor without a record.
    func visitor(_ attributes: JSObject = [:]) -> Visitor { experiences.visitor(id: "visitor", attributes: attributes) }

    /// The feature `key` of a visitor without a record, with location properties given.
    func feature(_ key: String, _ change: (inout DecisionOptions) -> Void = { _ in }) -> Answer<FeatureDecision> {
        var visitor = visitor()
        return feature(key, for: &visitor, options: .located(change))
    }
}

extension Answer<FeatureDecision> {
    var features: [BucketedFeature] { value.features }
    var reason: Decision.Reason? { value.reason }
}

extension [DecisionEffect] {
    /// Ids of the experiences that are stored as decided.
    var storedExperiences: [String] {
        compactMap {
            if case .store(.bucketing(let experience, _)) = $0 { experience.name } else { nil }
        }
    }

    /// Ids of the experiences that are reported as decided.
    var trackedExperiences: [String] {
        compactMap {
            if case .track(.bucketing(let experience, _), _) = $0 { experience } else { nil }
        }
    }

    /// The warnings.
    var warnings: [DecisionWarning] {
        compactMap {
            if case .warn(let warning) = $0 { warning } else { nil }
        }
    }
}
