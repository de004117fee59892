internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for ids and keys that are missing or occur twice, and for names that differ only in case.
extension LintContext {
    mutating func checkNames() {
        for list in ConfigDocument.List.allCases {
            let entities = document[list]
            checkDuplicates(entities)
            checkCase(of: entities.compactMap { entity in entity.key.map { ($0, entity.path + ".key") } })
        }
        var owners: [PropertyKey: ConfigDocument.Entity] = [:]
        let featureKeys = Set(document[.features].compactMap { $0.key.map { PropertyKey($0) } })
        for experience in document[.experiences] {
            checkOwners(of: experience, &owners)
            if let key = experience.key, featureKeys.contains(PropertyKey(key)) {
                add(
                    .duplicateKey, .warning, at: experience.path + ".key",
                    "\(experience.name) has the key of a feature: a call of OpenFeature with this key gets the "
                        + "feature, and never the experience.",
                    remedy: "Give one of them another key.")
            }
            var ids: Set<PropertyKey> = []
            var keys: Set<PropertyKey> = []
            let variations = experience.variations
            for (members, path) in variations.map({ ($0.members, $0.path) }) {
                if let id = EntityID(onWire: members["id"]), !ids.insert(id.key).inserted {
                    add(duplicate(.duplicateID, "variation", id.text, at: path + ".id"))
                }
                if let key = members["key"]?.stringValue, !keys.insert(PropertyKey(key)).inserted {
                    add(duplicate(.duplicateKey, "variation", key, at: path + ".key"))
                }
                checkSpelling(ofID: members["id"], key: members["key"], at: path)
            }
            checkCase(
                of: variations.compactMap { variation in
                    variation.members["key"]?.stringValue.map { ($0, variation.path + ".key") }
                })
        }
    }

    /// Checks for ids of variations that an earlier experience has too, as after copying an experience.
    private mutating func checkOwners(
        of experience: ConfigDocument.Entity, _ owners: inout [PropertyKey: ConfigDocument.Entity]
    ) {
        let variations = experience.variations
        let ids = variations.compactMap { variation in
            EntityID(onWire: variation.members["id"]).map { (path: variation.path, id: $0) }
        }
        if let (path, id) = ids.first(where: { owners[$0.id.key] != nil }), let owner = owners[id.key],
            owner.id != experience.id
        {
            let count = ids.count { owners[$0.id.key]?.index == owner.index }
            let what = count == variations.count ? "All variations" : "Some variations"
            add(
                .duplicateID, .warning, at: path + ".id",
                "\(what) of \(experience.name) have ids of \(owner.name), such as '\(id.text.excerpt())': counts "
                    + "by variation id mix the visitors of both.",
                remedy: "Give them ids of their own, or remove one of the experiences if it is a copy.")
        }
        for (_, id) in ids where owners[id.key] == nil { owners[id.key] = experience }
    }

    /// Checks for ids that are booleans, and for ids and keys with blanks at their ends, look-alike letters or broken
    /// characters.
    private mutating func checkSpelling(ofID id: JSValue?, key: JSValue?, at path: String) {
        if let flag = id?.boolValue {
            add(
                .malformed, .warning, at: path + ".id",
                "The id is the boolean \(flag): it equals no id that is text, and a variation with it is not found.",
                remedy: "Write the id as text.")
        }
        for (member, value) in [("id", id), ("key", key)] {
            let problem: String
            if let text = value?.stringValue, !text.trimmed.hasSameCodeUnits(as: text) {
                add(
                    .outerBlanks, at: "\(path).\(member)",
                    "The \(member) '\(text.excerpt())' has blanks at its ends, which belong to it.",
                    remedy: "Remove the blanks.")
            }
            if let text = value?.stringValue, let plain = LookAlikeLetters.plain(text, isPattern: false) {
                add(
                    .lookAlikeLetters, at: "\(path).\(member)",
                    "The \(member) '\(text.excerpt().spelledOut)' has letters of another script or hidden "
                        + "characters, and looks like '\(plain.excerpt().spelledOut)'.",
                    remedy: "Write '\(plain.excerpt())'.")
            }
            switch value {
            case .illFormedString(let text)?:
                problem = "'\(text.wellFormed.excerpt())' has half a surrogate pair: no text of an app equals it."
            case .string(let text)? where text.unicodeScalars.contains("\u{FFFD}"):
                problem = "'\(text.excerpt())' has U+FFFD, which stands for a character that was lost."
            default: continue
            }
            add(
                .malformed, .warning, at: "\(path).\(member)", "The \(member) \(problem)",
                remedy: "Write it with whole characters.")
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
            checkSpelling(ofID: entity.members["id"], key: entity.members["key"], at: entity.path)
        }
    }

    private func duplicate(_ code: LintCode, _ kind: String, _ name: String, at path: String) -> LintFinding {
        let what = code == .duplicateID ? "id" : "key"
        return LintFinding(
            code, at: path,
            "A second \(kind) has the \(what) '\(name.excerpt())': look-ups find only one of them.",
            remedy: "Give each \(kind) \(what == "id" ? "an id" : "a key") of its own.")
    }

    /// Reports names that differ from an earlier one only in case: each spelling once, at its first place.
    mutating func checkCase(of names: [(name: String, path: String)]) {
        // Compared by code units: for Swift, composed and decomposed letters are the same text.
        var places: [PropertyKey: [String]] = [:]
        var spellings: [PropertyKey] = []
        for (name, path) in names {
            let spelling = PropertyKey(name)
            if places[spelling] == nil { spellings.append(spelling) }
            places[spelling, default: []].append(path)
        }
        var known: [PropertyKey: PropertyKey] = [:]
        for spelling in spellings {
            let lower = PropertyKey(ECMAScript.toLowerCase(spelling.name))
            guard let other = known[lower] else {
                known[lower] = spelling
                continue
            }
            guard let paths = places[spelling] else { continue }
            let name = spelling.name.excerpt()
            let count = paths.count > 1 ? " '\(name)' stands in \(paths.count.counted("place"))." : ""
            add(
                .caseVariants, at: paths[0],
                "'\(name)' and '\(other.name.excerpt())' differ only in case, which counts.\(count)",
                remedy: "Spell them alike, or name them apart.")
        }
    }
}
