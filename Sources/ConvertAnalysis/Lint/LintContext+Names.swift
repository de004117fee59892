internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Ids and keys that are missing or occur twice, and names that differ only in case.
extension LintContext {
    mutating func checkNames() {
        for list in ConfigDocument.List.allCases {
            let entities = document[list]
            checkDuplicates(entities)
            checkCase(of: entities.compactMap { entity in entity.key.map { ($0, entity.path + ".key") } })
        }
        for experience in document[.experiences] {
            var ids: Set<PropertyKey> = []
            var keys: Set<PropertyKey> = []
            for (index, members) in experience.variations {
                let path = "\(experience.path).variations[\(index)]"
                if let id = EntityID(members["id"]), !ids.insert(id.key).inserted {
                    add(duplicate(.duplicateID, "variation", id.text, at: path + ".id"))
                }
                if let key = members["key"]?.stringValue, !keys.insert(PropertyKey(key)).inserted {
                    add(duplicate(.duplicateKey, "variation", key, at: path + ".key"))
                }
            }
        }
    }

    private mutating func checkDuplicates(_ entities: [ConfigDocument.Entity]) {
        var ids: Set<PropertyKey> = []
        var keys: Set<PropertyKey> = []
        for entity in entities {
            if let id = entity.id, !ids.insert(id.key).inserted {
                add(duplicate(.duplicateID, entity.list.entity, id.text, at: entity.path + ".id"))
            }
            if let key = entity.key, !keys.insert(PropertyKey(key)).inserted {
                add(duplicate(.duplicateKey, entity.list.entity, key, at: entity.path + ".key"))
            }
        }
    }

    private func duplicate(_ code: LintCode, _ kind: String, _ name: String, at path: String) -> LintFinding {
        let what = code == .duplicateID ? "id" : "key"
        return LintFinding(
            code, at: path,
            "A second \(kind) has the \(what) '\(name.excerpt())': look-ups find only one of them.",
            remedy: "Give each \(kind) \(what == "id" ? "an id" : "a key") of its own.")
    }

    /// Reports names, each with its place, that others differ from in case only.
    mutating func checkCase(of names: [(name: String, path: String)]) {
        var known: [String: String] = [:]
        for (name, path) in names {
            let lower = ECMAScript.toLowerCase(name)
            guard let other = known[lower] else {
                known[lower] = name
                continue
            }
            if other.hasSameCodeUnits(as: name) { continue }
            add(
                LintFinding(
                    .caseVariants, at: path,
                    "'\(name.excerpt())' and '\(other.excerpt())' differ only in case, which counts.",
                    remedy: "Spell them alike, or name them apart."))
        }
    }
}
