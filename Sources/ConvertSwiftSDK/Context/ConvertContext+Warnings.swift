import ConvertECMAScript
import ConvertSwiftSDKCore

extension ConvertContext {
    /// Warns once that the config has no `kind` with this key, and names the most likely one.
    @inline(never)
    func warn<Entity>(
        ofUnknown kind: String, _ key: String, among list: KeyPath<ProjectConfig, [Entity]>,
        _ name: (Entity) -> String?
    ) {
        guard let config else { return }
        engine.log.once(
            .key, "\(kind) \(key)",
            "\(UnknownName(kind, key, among: config[keyPath: list].compactMap(name)))")
    }

    /// Warns once about a variation that `options` force and that the experience does not have.
    @inline(never)
    func warn(ifUnknownForcedIn options: DecisionOptions, _ experience: () -> ProjectConfig.Experience?) {
        guard let experience = experience() else { return }
        if let id = options.forcedVariationID, !id.isEmpty { warn(ifUnknownVariation: id, of: experience) }
        if let name = options.forcedVariation, experience.variation(named: name) == nil {
            warn(ofUnknownVariation: name, of: experience, among: experience.variations.compactMap(\.key))
        }
    }

    /// Warns once about a requested feature, or requested experiences, that the config does not have.
    ///
    /// - Parameter reason: why the visitor does not have the feature.
    @inline(__always)
    func warn(
        ifUnknownFeature key: String, _ reason: BucketedFeature.DisabledReason?, _ experienceKeys: [String]
    ) {
        let isUndeclared = reason == .undeclared
        if isUndeclared || !experienceKeys.isEmpty { warn(ofUnknownFeature: key, isUndeclared, experienceKeys) }
    }

    @inline(never)
    private func warn(ofUnknownFeature key: String, _ isUndeclared: Bool, _ experienceKeys: [String]) {
        if isUndeclared {
            warn(ofUnknown: "feature", key, among: \.features, \.key)
        } else if let project = withVisitor({ _, snapshot, _ in snapshot.project }) {
            for key in experienceKeys where project.experience(key: key) == nil {
                warn(ofUnknown: "experience", key, among: \.experiences, \.key)
            }
        }
    }

    /// Warns once about keys that no segment has.
    func warn(ofUnknownSegments keys: [String]) {
        guard let config else { return }
        for key in keys where !config.segments.contains(where: { $0.entityKey.lookUp == PropertyKey(key) }) {
            warn(ofUnknown: "segment", key, among: \.segments, \.key)
        }
    }

    /// Returns the values that can be read back from a ledger. Warns about the others, which are nested too deeply.
    func keepable(_ values: [JSValue]) -> [JSValue] { values.filter { isKeepable($0, "a conversion's value") } }

    /// Like ``keepable(_:)-([JSValue])``, for properties and segments.
    func keepable(_ values: JSObject) -> JSObject {
        var rest = values
        for member in values where !isKeepable(member.value, "a property", member.key.name) { rest[member.key] = nil }
        return rest
    }

    /// Warns once about values of a conversion that JSON cannot represent and that are therefore reported as `null`.
    func warn(ofInfiniteAmong values: [JSValue], _ goalKey: String) {
        for value in values {
            guard let pair = value.objectValue, let number = pair["value"]?.numberValue, !number.isFinite else {
                continue
            }
            let name = pair["key"]?.stringValue ?? ""
            engine.log.once(
                .key, "number \(goalKey)",
                "a conversion of goal '\(goalKey.excerpt(80))' has a value that is infinite or not a number, and is "
                    + "reported "
                    + "as null; check the number first.")
            engine.log.log(.debug, "call.value", "the value '\(name.excerpt(80))' is \(ECMAScript.toString(number)).")
        }
    }

    /// Warns once that a feature's variables do not fit the type that the app decodes.
    func warn(ofUndecodable key: String, as type: Any.Type, _ error: any Error) {
        let detail =
            switch error {
            case DecodingError.keyNotFound(let member, let context):
                "'\(context.path(to: member))' is missing"
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                "'\(context.path())': \(context.debugDescription)"
            // The text of an app's own error may contain visitor data.
            default: "\(Swift.type(of: error))"
            }
        engine.log.once(
            .key, "decode \(key) \(type)",
            "the variables of feature '\(key.excerpt(80))' do not fit \(type), so the default is used: "
                + "\(detail.excerpt(200))"
        )
    }

    /// Whether part of a visitor's data can be read back from a ledger. If not, warns once that it is left out. Its
    /// name is logged only at debug level.
    private func isKeepable(_ value: JSValue, _ kind: String, _ name: String = "") -> Bool {
        if !value.isNested(deeperThan: ConfigLimits.depth) { return true }
        engine.log.once(
            .key, "depth \(kind)",
            "\(kind) is left out: it is nested more than \(ConfigLimits.depth) deep; flatten it.")
        if !name.isEmpty {
            engine.log.log(.debug, "call.property", "the property that is left out is '\(name.excerpt(80))'.")
        }
        return false
    }

    private func warn(ifUnknownVariation id: String, of experience: ProjectConfig.Experience) {
        let ids = experience.variations.compactMap { $0.id?.text }
        if !ids.contains(where: { $0.hasSameCodeUnits(as: id) }) {
            warn(ofUnknownVariation: id, of: experience, among: ids)
        }
    }

    /// Warns once that `experience` has no variation with this name, and names the most likely one.
    private func warn(ofUnknownVariation name: String, of experience: ProjectConfig.Experience, among names: [String]) {
        engine.log.once(
            .key, "variation \(experience.id) \(name)",
            "experience '\((experience.key ?? experience.id.text).excerpt(80))' has no variation "
                + "'\(name.excerpt(80))' to force"
                + UnknownName("variation", name, among: names).question)
    }
}

extension DecodingError.Context {
    /// The path of the error, as names with dots between them.
    fileprivate func path(to member: (any CodingKey)? = nil) -> String {
        (codingPath + (member.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
    }
}

extension JSValue {
    /// Whether arrays and objects in the value are nested more than `depth` deep. It takes time linear to the value.
    func isNested(deeperThan depth: Int) -> Bool {
        if let array = arrayValue { return depth == 0 || array.contains { $0.isNested(deeperThan: depth - 1) } }
        if let object = objectValue {
            return depth == 0 || object.contains { $0.value.isNested(deeperThan: depth - 1) }
        }
        return false
    }
}
