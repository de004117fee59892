import ConvertECMAScript
import ConvertSwiftSDKCore

extension ConvertContext {
    /// Warns once that the config has nothing of `kind` under `key`, with the name that was most likely meant.
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

    /// Warns once of a variation that `options` force and the experience does not have.
    @inline(never)
    func warn(ifUnknownForcedIn options: DecisionOptions, _ experience: () -> ProjectConfig.Experience?) {
        guard let experience = experience() else { return }
        if let id = options.forcedVariationID, !id.isEmpty { warn(ifUnknownVariation: id, of: experience) }
        if let name = options.forcedVariation, experience.variation(named: name) == nil {
            warn(ofUnknownVariation: name, of: experience, among: experience.variations.compactMap(\.key))
        }
    }

    /// Warns once of a feature or of experiences that were asked for and are not in the config.
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

    /// Warns once of keys among `keys` that no segment has.
    func warn(ofUnknownSegments keys: [String]) {
        guard let config else { return }
        for key in keys where !config.segments.contains(where: { $0.entityKey.lookUp == PropertyKey(key) }) {
            warn(ofUnknown: "segment", key, among: \.segments, \.key)
        }
    }

    /// The values without those that are nested too deeply to be read back from a ledger, of which it warns.
    func keepable(_ values: [JSValue]) -> [JSValue] {
        if !values.contains(where: { $0.isNested(deeperThan: ConfigLimits.depth) }) { return values }
        warn(ofTooDeep: "a conversion's value", "")
        return values.filter { !$0.isNested(deeperThan: ConfigLimits.depth) }
    }

    /// As ``keepable(_:)-([JSValue])``, for properties and segments.
    func keepable(_ values: JSObject) -> JSObject {
        if !values.contains(where: { $0.value.isNested(deeperThan: ConfigLimits.depth) }) { return values }
        var rest = JSObject()
        for member in values {
            if member.value.isNested(deeperThan: ConfigLimits.depth) {
                warn(ofTooDeep: "a property", member.key.name)
            } else {
                rest[member.key] = member.value
            }
        }
        return rest
    }

    /// Warns once of a conversion's values that are numbers which JSON does not have, and reports as `null`.
    func warn(ofInfiniteAmong values: [JSValue], _ goalKey: String) {
        for value in values {
            guard let pair = value.objectValue, let number = pair["value"]?.numberValue, !number.isFinite else {
                continue
            }
            let name = pair["key"]?.stringValue ?? ""
            engine.log.once(
                .key, "number \(goalKey)",
                "a conversion of goal '\(goalKey.excerpt(80))' has a value that is infinite or no number, and is "
                    + "reported "
                    + "as null; check the number first.")
            engine.log.log(.debug, "call.value", "the value '\(name.excerpt(80))' is \(ECMAScript.toString(number)).")
        }
    }

    /// Warns once that a feature's variables do not fit the type that an app decodes.
    func warn(ofUndecodable key: String, as type: Any.Type, _ error: any Error) {
        let detail =
            switch error {
            case DecodingError.keyNotFound(let member, let context):
                "'\(context.path(to: member))' is missing"
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                "'\(context.path())': \(context.debugDescription)"
            // What an app's own error says is not known here.
            default: "\(Swift.type(of: error))"
            }
        engine.log.once(
            .key, "decode \(key) \(type)",
            "the variables of feature '\(key.excerpt(80))' are no \(type), so the default is used: "
                + "\(detail.excerpt(200))"
        )
    }

    /// Warns once that something of a visitor is left out. Its name is logged at debug level only.
    private func warn(ofTooDeep kind: String, _ name: String) {
        engine.log.once(
            .key, "depth \(kind)",
            "\(kind) is left out: it is nested more than \(ConfigLimits.depth) deep; flatten it.")
        if !name.isEmpty {
            engine.log.log(.debug, "call.property", "the property that is left out is '\(name.excerpt(80))'.")
        }
    }

    private func warn(ifUnknownVariation id: String, of experience: ProjectConfig.Experience) {
        let ids = experience.variations.compactMap { $0.id?.text }
        if !ids.contains(where: { $0.hasSameCodeUnits(as: id) }) {
            warn(ofUnknownVariation: id, of: experience, among: ids)
        }
    }

    /// Warns once that `experience` has no variation of that name, with the one of `names` that was most likely meant.
    func warn(ofUnknownVariation name: String, of experience: ProjectConfig.Experience, among names: [String]) {
        engine.log.once(
            .key, "variation \(experience.id) \(name)",
            "experience '\((experience.key ?? experience.id.text).excerpt(80))' has no variation "
                + "'\(name.excerpt(80))' to force"
                + UnknownName("variation", name, among: names).question)
    }
}

extension DecodingError.Context {
    /// Where it is, as names with dots between them.
    fileprivate func path(to member: (any CodingKey)? = nil) -> String {
        (codingPath + (member.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
    }
}

extension Decision {
    /// Whether it is about an experience that the config does not have.
    var isOfUnknown: Bool { @inline(__always) get { reason == .unknownExperience } }
}
