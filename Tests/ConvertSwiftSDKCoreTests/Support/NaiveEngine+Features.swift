import ConvertECMAScript
import ConvertSwiftSDKCore

/// What one engine answers for one feature.
struct FeatureVoice: Equatable {
    var id: String?
    var key: String?
    var experienceID: String?
    var variables: JSValue?
    var isEnabled = false
}

/// What one engine answers to a question about features.
struct FeaturesVoice: Equatable {
    var features: [FeatureVoice] = []
    var reason: Decision.Reason?
    var effects: [DecisionEffect] = []
}

extension FeaturesVoice {
    init(_ answer: Answer<FeatureDecision>) {
        features = answer.features.map {
            FeatureVoice(
                id: $0.id, key: $0.key, experienceID: $0.experienceID, variables: $0.variables,
                isEnabled: $0.status == .enabled)
        }
        reason = answer.reason
        effects = answer.effects
    }
}

extension NaiveEngine {
    /// The features with the key `wanted`, or all of them if it is `nil`.
    func features(_ wanted: String?, _ visitor: inout Visitor, _ options: DecisionOptions) -> FeaturesVoice {
        if visitor.id.isEmpty { return FeaturesVoice(reason: .missingVisitorID) }
        let declared = entities("features")
        if let wanted, !declared.contains(where: { has(wanted, $0) }) {
            return FeaturesVoice(features: [FeatureVoice(key: wanted)])
        }
        var voice = carried(wanted, &visitor, passedOn(options))
        if voice.reason != nil {
            voice.features = []
        } else if let wanted {
            if voice.features.isEmpty, let first = declared.first(where: { has(wanted, $0) }) {
                var voiced = disabled(first)
                if first["key"]?.stringValue == nil { voiced.key = wanted }
                voice.features = [voiced]
            }
        } else {
            voice.features += others(than: voice.features)
        }
        return voice
    }

    private func has(_ key: String, _ entity: JSObject) -> Bool {
        PropertyKey(text("key", of: entity)) == PropertyKey(key)
    }

    /// A forced variation does not count for features; the reference passes two other options on as their defaults.
    private func passedOn(_ options: DecisionOptions) -> DecisionOptions {
        var options = options
        options.forcedVariationID = nil
        if rules.semantics == .javaScript {
            options.ignoresLocationProperties = false
            options.isTrackingEnabled = true
        }
        return options
    }

    private func carried(
        _ wanted: String?, _ visitor: inout Visitor, _ options: DecisionOptions
    ) -> FeaturesVoice {
        var voice = FeaturesVoice()
        let call = Call(options, visitor, identity: "key")
        let preview = rules.semantics == .javaScript ? nil : preview(of: visitor)
        if let preview { voice.features += features(of: preview.voice, preview.index, wanted) }
        for experience in entities("experiences") {
            if let wanted, rules.semantics != .javaScript, !mayCarry(wanted, experience) { continue }
            guard let owner = first("key", text("key", of: experience)) else { continue }
            let decision = decide(owner, &visitor, call)
            let isThrown = decision.reason == .malformedRules || decision.reason == .missingSettings
            let ends = isThrown && rules.semantics == .javaScript
            let isSkipped = preview.map { isReplaced(owner, by: $0.index) } ?? false
            if !isSkipped || ends {
                voice.effects += decision.effects
                voice.features += features(of: decision, owner, wanted)
            }
            if ends {
                voice.reason = decision.reason
                break
            }
        }
        return voice
    }

    /// Whether some variation of the experience carries the feature with this key.
    private func mayCarry(_ key: String, _ experience: JSObject) -> Bool {
        let ids = entities("features").filter { has(key, $0) }.map { text("id", of: $0) }
        return variations(of: experience).contains { variation in
            changes(of: variation).contains { change in ids.contains { PropertyKey($0) == PropertyKey(change.id) } }
        }
    }

    /// The requested features among those that a decision's variation carries.
    private func features(of decision: Voice, _ experience: Int, _ wanted: String?) -> [FeatureVoice] {
        guard let id = decision.variationID else { return [] }
        let model = entities("experiences")[experience]
        let numericIDs = decision.source == .preview || rules.semantics != .javaScript
        guard let variation = variation(id, of: model, numericIDs: numericIDs) else { return [] }
        return changes(of: variation).compactMap { change in
            let declaration = entities("features").last {
                PropertyKey(text("id", of: $0)) == PropertyKey(change.id)
            }
            if let wanted {
                guard let declaration, declaration["key"]?.stringValue != nil, has(wanted, declaration) else {
                    return nil
                }
            }
            return FeatureVoice(
                id: change.id, key: declaration.flatMap(key), experienceID: text("id", of: model),
                variables: declaration.map { cast(change.variables, $0) } ?? change.variables, isEnabled: true)
        }
    }

    private func changes(of variation: JSObject) -> [(id: String, variables: JSValue?)] {
        (variation["changes"]?.arrayValue ?? []).compactMap { change in
            guard let change = change.objectValue, change["type"] == "fullStackFeature",
                let data = change["data"]?.objectValue, let id = data["feature_id"], id.isTruthy
            else { return nil }
            return (ECMAScript.toString(id), data["variables_data"])
        }
    }

    /// The declared features that are not among `found`, in the order of an object's keys.
    private func others(than found: [FeatureVoice]) -> [FeatureVoice] {
        var declared = JSObject()
        for feature in entities("features") { declared[text("id", of: feature)] = .object(feature) }
        let members = Array(declared)
        return ECMAScript.ownPropertyKeyOrder(members.map(\.key.name)).compactMap { place in
            guard let feature = members[place].value.objectValue else { return nil }
            let isFound = found.contains { $0.id == members[place].key.name }
            let isListedAgain = rules.semantics == .javaScript && feature["id"]?.stringValue == nil
            return isFound && !isListedAgain ? nil : disabled(feature)
        }
    }

    private func disabled(_ feature: JSObject) -> FeatureVoice {
        FeatureVoice(id: text("id", of: feature), key: key(of: feature))
    }

    private func key(of feature: JSObject) -> String? {
        switch feature["key"] {
        case .string, .integer, .number, .bool: text("key", of: feature)
        default: nil
        }
    }

    /// The variables, each cast to the type of its first declaration.
    private func cast(_ variables: JSValue?, _ feature: JSObject) -> JSValue? {
        guard case .object(var object)? = variables else { return variables }
        for member in object {
            let declaration = (feature["variables"]?.arrayValue ?? []).compactMap(\.objectValue).first {
                $0["key"] == .string(member.key.name)
            }
            let text = ECMAScript.toString(member.value)
            switch declaration?["type"] {
            case "boolean":
                object[member.key] = .bool(member.value != "false" && member.value.isTruthy)
            case "integer":
                object[member.key] = member.value.boolValue.map { $0 ? 1 : 0 } ?? JSValue(ECMAScript.parseInt(text))
            case "float":
                object[member.key] = member.value.boolValue.map { $0 ? 1 : 0 } ?? JSValue(ECMAScript.parseFloat(text))
            case "string": object[member.key] = .string(text)
            case "json":
                if member.value != .null, member.value.arrayValue == nil, member.value.objectValue == nil {
                    object[member.key] = (try? ECMAScript.parseJSON(text))?.withRoot { $0.value } ?? .string(text)
                }
            default: break
            }
        }
        return .object(object)
    }
}
