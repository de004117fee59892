internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for members that seem to switch something off, for ids that are attached twice, and for names with blanks
/// around them.
extension LintContext {
    /// The statuses of variations, of which only running ones get visitors.
    enum Status: String, CaseIterable {
        case running, stopped, paused, draft, archived

        /// The names of these statuses in other services, in lower case.
        static let synonyms: [String: Status] = [
            "active": .running, "live": .running, "enabled": .running, "started": .running, "on": .running,
            "inactive": .stopped, "disabled": .stopped, "off": .stopped, "completed": .stopped, "deleted": .archived,
        ]

        /// The status with this name or synonym, in any case; `nil` for another name.
        init?(_ value: JSValue) {
            guard let name = value.stringValue.map({ ECMAScript.toLowerCase($0) }),
                let status = Status(rawValue: name) ?? Self.synonyms[name]
            else { return nil }
            self = status
        }
    }

    mutating func checkStatuses() {
        for list in [ConfigDocument.List.audiences, .locations, .segments, .features, .goals] {
            for entity in document[list] {
                guard let status = entity.members["status"], let meant = Status(status), meant != .running else {
                    continue
                }
                addFrame(
                    at: entity.path + ".status",
                    "The status '\(ECMAScript.toString(status).excerpt())' of \(entity.name) is not read: it is in "
                        + "use.",
                    "Take it out of the config, or out of the experiences, if it must not be used.")
            }
        }
    }

    /// Checks for an id that occurs in two lists that experiences attach from, and for an id that is attached twice.
    mutating func checkTwice() {
        var audiences: [PropertyKey: ConfigDocument.Entity] = [:]
        for audience in document[.audiences] {
            if let id = audience.id, audiences[id.key] == nil { audiences[id.key] = audience }
        }
        for segment in document[.segments] {
            guard let id = segment.id, let audience = audiences[id.key] else { continue }
            add(
                .duplicateID, .warning, at: segment.path + ".id",
                "\(segment.name) has the id '\(id.text.excerpt())' of \(audience.name): an experience that "
                    + "attaches one asks for both.",
                remedy: "Give the segment an id of its own.")
        }
        for experience in document[.experiences] {
            for member in ["audiences", "goals", "locations"] {
                var known: Set<EntityID> = []
                for (index, id) in experience.references(member) where !known.insert(id).inserted {
                    addFrame(
                        at: "\(experience.path).\(member)[\(index)]",
                        "'\(id.text.excerpt())' is attached twice: the second one changes nothing.",
                        "Remove it, or attach the one that was meant.")
                }
            }
        }
    }

    /// Checks the names of environments and variables for blanks around them.
    mutating func checkNamesWithBlanks() {
        for experience in document[.experiences] {
            checkBlanks(of: experience.members["environment"], "environment", at: experience.path + ".environment")
            for (index, name) in (experience.members["environments"]?.arrayValue ?? []).enumerated() {
                checkBlanks(of: name, "environment", at: "\(experience.path).environments[\(index)]")
            }
        }
        switch document.root["project"]?.objectValue?["environments"] {
        case .array(let names)?:
            for (index, name) in names.enumerated() {
                checkBlanks(of: name, "environment", at: "$.project.environments[\(index)]")
            }
        case .object(let members)?:
            for member in members {
                let name = member.key.name
                checkBlanks(of: .string(name), "environment", at: "$.project.environments.\(name.excerpt())")
            }
        default: break
        }
        for feature in document[.features] {
            for variable in feature.parts("variables") {
                checkBlanks(of: variable.members["key"], "variable", at: variable.path + ".key")
            }
        }
    }

    private mutating func checkBlanks(of name: JSValue?, _ kind: String, at path: String) {
        guard let text = name?.stringValue, text.trimmed.utf8.count != text.utf8.count, !text.trimmed.isEmpty else {
            return
        }
        add(
            .outerBlanks, at: path,
            "The name '\(text.excerpt())' of the \(kind) has blanks at its ends, which belong to it.",
            remedy: "Remove the blanks.")
    }
}
