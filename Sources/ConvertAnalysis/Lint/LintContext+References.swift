internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Ids that name nothing.
extension LintContext {
    mutating func checkReferences() {
        let ids = Dictionary(
            uniqueKeysWithValues: ConfigDocument.List.allCases.map { list in
                (list, Set(document[list].compactMap(\.id)))
            })
        func known(_ lists: ConfigDocument.List...) -> Set<EntityID> {
            lists.reduce(into: []) { $0.formUnion(ids[$1] ?? []) }
        }
        let audiences = known(.audiences, .segments), locations = known(.locations)
        let goals = known(.goals), features = known(.features)
        for experience in document[.experiences] {
            check(experience, "audiences", among: audiences, "it restricts nobody, as if it were not attached.")
            check(experience, "locations", among: locations, "no visitor is there.")
            check(experience, "goals", among: goals, "nothing is measured under it.", severity: .warning)
            for (index, members) in experience.variations {
                checkFeatures(
                    of: members, at: "\(experience.path).variations[\(index)]", among: features)
            }
        }
        let experienceIDs = Set(document[.experiences].compactMap { $0.id?.key })
        for (index, value) in (document.root["archived_experiences"]?.arrayValue ?? []).enumerated() {
            let id = ECMAScript.toString(value)
            if experienceIDs.contains(PropertyKey(id)) { continue }
            let known = document[.experiences].compactMap { $0.id?.text }
            if let nearest = known.nearest(to: id), nearest != id {
                add(
                    unknown(
                        "experience", id, at: "$.archived_experiences[\(index)]", among: known,
                        "nothing is archived by it.", severity: .note))
            }
        }
    }

    private mutating func check(
        _ experience: ConfigDocument.Entity, _ member: String, among ids: Set<EntityID>, _ consequence: String,
        severity: LintFinding.Severity = .error
    ) {
        for (index, id) in experience.references(member) where !ids.contains(id) {
            // The same id as a number and as text are two ids.
            let isOtherType = ids.contains { $0.text == id.text }
            let entity = String(member.dropLast())
            add(
                unknown(
                    entity, id.text, at: "\(experience.path).\(member)[\(index)]", among: ids.map(\.text).sorted(),
                    isOtherType
                        ? "it is a number in one place and text in the other, which are two ids: \(consequence)"
                        : consequence, severity: severity))
        }
    }

    private mutating func checkFeatures(of variation: JSObject, at path: String, among ids: Set<EntityID>) {
        let texts = Set(ids.map(\.key))
        for (index, change) in (variation["changes"]?.arrayValue ?? []).enumerated() {
            guard let change = change.objectValue, change["type"]?.stringValue == "fullStackFeature" else { continue }
            let place = "\(path).changes[\(index)].data.feature_id"
            guard let id = EntityID(change["data"]?.objectValue?["feature_id"]) else {
                add(
                    LintFinding(
                        .unknownReference, at: place, "The change names no feature, so it carries none.",
                        remedy: "Set feature_id to the id of a feature."))
                continue
            }
            if texts.contains(id.key) { continue }
            add(
                unknown(
                    "feature", id.text, at: place, among: ids.map(\.text).sorted(),
                    "whoever asks for features gets one without a key."))
        }
    }

    func unknown(
        _ entity: String, _ name: String, at path: String, among names: [String], _ consequence: String,
        severity: LintFinding.Severity = .error
    ) -> LintFinding {
        let nearest = names.first { $0 == name } == nil ? names.nearest(to: name) : nil
        let hint = nearest.map { "Did you mean '\($0.excerpt())'? " } ?? ""
        return LintFinding(
            .unknownReference, severity, at: path,
            "The config has no \(entity) '\(name.excerpt())': \(consequence)",
            remedy: hint + "Name one that the config has, or remove it.")
    }
}
