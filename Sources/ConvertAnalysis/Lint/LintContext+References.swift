internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for ids that name nothing.
extension LintContext {
    mutating func checkReferences() {
        func known(_ lists: ConfigDocument.List...) -> Referents {
            Referents(lists.flatMap { document[$0] })
        }
        let audiences = known(.audiences, .segments), locations = known(.locations)
        let goals = known(.goals), features = known(.features)
        for experience in document[.experiences] {
            check(experience, "audiences", among: audiences, "the reference is ignored: it restricts no visitor.")
            check(experience, "locations", among: locations, "no visitor matches it.")
            check(experience, "goals", among: goals, "it measures nothing.", severity: .warning)
            for variation in experience.variations { checkFeatures(of: variation, among: features) }
        }
        let experiences = known(.experiences)
        for (index, value) in (document.root["archived_experiences"]?.arrayValue ?? []).enumerated()
        where !isFull(.note) {
            let id = ECMAScript.toString(value)
            // Ids of deleted experiences stay in the list. Only an id that is similar to an existing one is
            // questionable.
            let isNear = nearest(to: id, among: experiences.names, isOfNumbers: true) != nil
            if experiences.texts.contains(PropertyKey(id)) || !isNear {
                continue
            }
            add(
                unknown(
                    "experience", id, at: "$.archived_experiences[\(index)]", among: experiences.names,
                    "nothing is archived by it.", severity: .note))
        }
    }

    private mutating func check(
        _ experience: ConfigDocument.Entity, _ member: String, among known: Referents, _ consequence: String,
        severity: LintFinding.Severity = .error
    ) {
        for (index, id) in experience.references(member) where !isFull(severity) && !known.ids.contains(id) {
            if id.kind == .unusable {
                add(
                    .unknownReference, severity, at: "\(experience.path).\(member)[\(index)]",
                    "An object or a list is not an id: \(consequence)", remedy: "Write the id, as text.")
                continue
            }
            // An id as a number and the same id as text are different ids.
            if known.texts.contains(id.key), let other = known.ids.first(where: { $0.key == id.key }) {
                add(
                    .unknownReference, severity, at: "\(experience.path).\(member)[\(index)]",
                    "'\(id.text.excerpt())' is a number in one place and text in the other, which are two ids: "
                        + consequence,
                    remedy: "Write \(ECMAScript.jsonText(of: other.value).excerpt()), as the config has the id.")
                continue
            }
            let entity = String(member.dropLast())
            if let named = known.byKey[id.key] {
                let target = named.id?.text ?? ""
                add(
                    .unknownReference, severity, at: "\(experience.path).\(member)[\(index)]",
                    "'\(id.text.excerpt())' is the key of \(named.name), and \(member) are attached by id: "
                        + consequence,
                    remedy: "Write its id, '\(target.excerpt())'.")
                continue
            }
            add(
                unknown(
                    entity, id.text, at: "\(experience.path).\(member)[\(index)]", among: known.names, consequence,
                    severity: severity))
        }
    }

    private mutating func checkFeatures(of variation: ConfigDocument.Part, among known: Referents) {
        for change in variation.parts("changes") {
            guard let data = change.carried else { continue }
            let place = change.path + ".data.feature_id"
            guard let id = data.carriedFeatureID else {
                add(
                    .unknownReference, at: place, "The change names no feature, so it carries none.",
                    remedy: "Set feature_id to the id of a feature.")
                continue
            }
            if isFull(.error) || known.texts.contains(id.key) { continue }
            if let named = known.byKey[id.key] {
                add(
                    .unknownReference, at: place,
                    "'\(id.text.excerpt())' is the key of \(named.name), and features are carried by id: calls for "
                        + "features return one without a key.",
                    remedy: "Write its id, '\((named.id?.text ?? "").excerpt())'.")
                continue
            }
            add(
                unknown(
                    "feature", id.text, at: place, among: known.names,
                    "calls for features return one without a key."))
        }
    }

    mutating func unknown(
        _ entity: String, _ name: String, at path: String, among names: [String], _ consequence: String,
        severity: LintFinding.Severity = .error
    ) -> LintFinding {
        let hint = nearest(to: name, among: names).hint
        return LintFinding(
            .unknownReference, severity, at: path,
            "The config has no \(entity) '\(name.excerpt())': \(consequence)",
            remedy: hint + "Name one that the config has, or remove it.",
            under: entity == "experience" ? lostExperiences : misnamed(at: "$.\(entity)s"))
    }
}

/// The ids that a reference may name.
private struct Referents {
    let ids: Set<EntityID>
    /// The same ids as dictionary keys, in which a number equals its text.
    let texts: Set<PropertyKey>
    /// The same ids as text, in order.
    let names: [String]

    /// The entities by key.
    let byKey: [PropertyKey: ConfigDocument.Entity]

    init(_ entities: [ConfigDocument.Entity]) {
        let ids = entities.compactMap(\.id)
        byKey = Dictionary(firstOf: entities.compactMap { entity in entity.key.map { (PropertyKey($0), entity) } })
        self.ids = Set(ids)
        texts = Set(ids.map(\.key))
        names = ids.map(\.text).sorted()
    }
}
