internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for values with an unexpected shape, which are silently replaced by something else.
extension LintContext {
    mutating func checkFrames() {
        for experience in document[.experiences] { checkExperience(experience) }
        for audience in document[.audiences] {
            checkChoice(
                audience.members["type"], of: ["permanent", "transient", "segmentation"], at: audience.path + ".type",
                "it counts as transient: the audience is asked about at every decision.")
        }
        for feature in document[.features] {
            checkList(feature.members["variables"], at: feature.path + ".variables", "the feature declares none.")
            for variable in feature.parts("variables") {
                checkChoice(
                    variable.members["type"], of: VariableType.allCases.map(\.rawValue),
                    at: variable.path + ".type", "values stay as they are.",
                    synonyms: Self.typeSynonyms)
            }
        }
        checkKeys(of: .goals, "no call can track it.")
        checkKeys(of: .experiences, "no call can ask for it.")
        checkKeys(of: .features, "no call can ask for it.")
        checkEnvironmentNames()
        checkArchive()
        checkStatuses()
        checkTwice()
        checkNamesWithBlanks()
        for list in ConfigDocument.List.allCases {
            checkList(document.root[list.rawValue], at: "$." + list.rawValue, "the config has none.")
        }
        for rules in allRules { checkLeaves(of: rules) }
    }

    private static let matchingSynonyms = [
        "and": "all", "every": "all", "both": "all", "allof": "all", "or": "any", "some": "any", "one": "any",
        "anyof": "any", "either": "any",
    ]
    private static let typeSynonyms = [
        "bool": "boolean", "int": "integer", "long": "integer", "number": "float", "double": "float",
        "decimal": "float", "text": "string", "str": "string", "object": "json", "array": "json", "dict": "json",
    ]

    /// Checks for entities without a key, if an app refers to them by key.
    private mutating func checkKeys(of list: ConfigDocument.List, _ consequence: String) {
        for entity in document[list] { checkKey(of: entity.members, list.entity, at: entity.path, consequence) }
    }

    private mutating func checkKey(of members: JSObject, _ kind: String, at path: String, _ consequence: String) {
        let key = members["key"] ?? .null
        guard key.isNull || key == "" else { return }
        addFrame(at: path + ".key", "The \(kind) has no key: \(consequence)", "Give it a key.")
    }

    /// Checks the list of environments for elements that are not names.
    private mutating func checkEnvironmentNames() {
        let list = document.root["project"]?.objectValue?["environments"]?.arrayValue ?? []
        guard let index = list.firstIndex(where: { $0.stringValue == nil }) else { return }
        addFrame(
            at: "$.project.environments[\(index)]",
            "\(ECMAScript.jsonText(of: list[index]).excerpt()) is not a name: it declares no environment.",
            "Write the environments' names as text, or an object with the names as members.")
    }

    /// Checks the list of archived experiences for elements that are not ids.
    private mutating func checkArchive() {
        if let archive = document.root["archived_experiences"], archive.arrayValue == nil, archive.isTruthy {
            addFrame(
                .error, at: "$.archived_experiences",
                "\(ECMAScript.jsonText(of: archive).excerpt()) is not a list: every experience counts as archived, "
                    + "so none is decided.",
                "Write a list of ids, in brackets.")
        }
        let experiences = document[.experiences]
        let ids = Set(experiences.compactMap { $0.id?.key })
        for (index, value) in (document.root["archived_experiences"]?.arrayValue ?? []).enumerated() {
            let path = "$.archived_experiences[\(index)]"
            if value.stringValue == nil, value.numberValue == nil {
                addFrame(
                    at: path, "\(ECMAScript.jsonText(of: value).excerpt()) is not an id: nothing is archived by it.",
                    "Write the id of an experience.")
            } else if let key = value.stringValue, !ids.contains(PropertyKey(key)),
                let named = experiences.first(where: { $0.key == key })
            {
                addFrame(
                    at: path,
                    "'\(key.excerpt())' is the key of \(named.name), which is archived by its id only: it runs.",
                    "Write its id, '\((named.id?.text ?? "").excerpt())'.")
            }
        }
    }

    private mutating func checkExperience(_ experience: ConfigDocument.Entity) {
        let (members, path) = (experience.members, experience.path)
        checkList(members["audiences"], at: path + ".audiences", "no visitor is kept out.")
        checkList(members["locations"], at: path + ".locations", "visitors are let in wherever they are.")
        checkList(members["goals"], at: path + ".goals", "nothing is measured.")
        checkList(members["variations"], at: path + ".variations", "there are none.")
        checkList(members["environments"], at: path + ".environments", "it has no effect.")
        if members["site_area"]?.isTruthy ?? false, members["locations"]?.arrayValue?.isEmpty == false {
            add(
                .unreadMember, .warning, at: path + ".site_area",
                "The site_area of \(experience.name) is never read, because locations are attached.",
                remedy: "Make a location of it and attach that, or remove it.")
        }
        // Other services write this for an experience that visitors enter.
        if let status = members["status"], status.isTruthy, Status(status) != .running {
            addFrame(
                at: path + ".status",
                "The status \(ECMAScript.jsonText(of: status).excerpt()) of an experience is not read: it runs.",
                "Archive it, or take it out of the config, if it must not run.")
        }
        if let version = members["version"], version.numberValue == nil,
            ECMAScript.toNumber(version).isNaN || version.stringValue == nil
        {
            addFrame(
                at: path + ".version",
                "The version \(ECMAScript.jsonText(of: version).excerpt()) is not a number: it counts as an old one, "
                    + "whose variations are laid out end to end.", "Write a number, such as 12.")
        }
        checkSettings(of: experience)
        for variation in experience.variations { checkVariation(variation) }
    }

    private mutating func checkSettings(of experience: ConfigDocument.Entity) {
        let (settings, path) = (experience.members["settings"], experience.path + ".settings")
        if let settings, !settings.isNull, settings.objectValue == nil {
            addFrame(
                at: path,
                "\(ECMAScript.jsonText(of: settings).excerpt()) is not an object and is not read: any audience lets "
                    + "visitors in.", "Write an object with matching_options.")
        }
        if let misplaced = settings?.objectValue?["audiences"] {
            addFrame(
                at: path + ".audiences",
                "\(ECMAScript.jsonText(of: misplaced).excerpt()) is not read there: how audiences match stands in "
                    + "matching_options.", "Write it into settings.matching_options.")
        }
        let options = settings?.objectValue?["matching_options"]
        let locations = ECMAScript.toLowerCase(options?.objectValue?["locations"]?.stringValue ?? "")
        if Set(experience.references("locations").map(\.id)).count > 1,
            locations == "all" || Self.matchingSynonyms[locations] == "all"
        {
            addFrame(
                at: path + ".matching_options.locations",
                "matching_options.locations is not read: any of the locations of \(experience.name) lets visitors in.",
                "Put the conditions of all of them into one location, as clauses of one AND.")
        }
        if let options, options.objectValue == nil {
            addFrame(
                at: path + ".matching_options",
                "matching_options is not an object: any of the audiences lets visitors in.",
                "Write an object with audiences, \"any\" or \"all\".")
        }
        checkChoice(
            options?.objectValue?["audiences"], of: ["any", "all"], at: path + ".matching_options.audiences",
            "any of the audiences lets visitors in.", synonyms: Self.matchingSynonyms)
    }

    private mutating func checkVariation(_ variation: ConfigDocument.Part) {
        let (members, path) = (variation.members, variation.path)
        checkKey(of: members, "variation", at: path, "no call can name it, and no log does.")
        if let status = members["status"], status.isTruthy {
            checkChoice(
                status, of: Status.allCases.map(\.rawValue), at: path + ".status",
                "the variation does not run.", synonyms: Status.synonyms.mapValues(\.rawValue))
        }
        checkList(members["changes"], at: path + ".changes", "the variation changes nothing.")
        for change in variation.parts("changes") where change.carried == nil {
            let kind = change.members["type"]?.stringValue ?? ""
            let isFeature =
                change.members["data"]?.objectValue?["feature_id"] != nil
                || nearest(to: kind, among: ["fullStackFeature"]) != nil
            if isFeature {
                addFrame(
                    at: change.path + ".type",
                    "The change has the type '\(kind.excerpt())', which carries no feature.",
                    "Write 'fullStackFeature'.")
            }
        }
    }

    private mutating func checkLeaves(of rules: RuleSet) {
        let groups = ConfigDocument.Part.all(of: rules.value?.objectValue?["OR"], at: rules.path + ".OR")
        let question = "bucketed_into_experience_key"
        for group in groups {
            let clauses = group.index < rules.groups.count ? rules.groups[group.index].clauses : []
            for clause in group.parts("AND") {
                for part in clause.parts("OR_WHEN") {
                    let (leaf, path) = (part.members, part.path)
                    let asksForExperience = leaf["rule_type"]?.stringValue == question
                    if asksForExperience, rules.entity.list != .audiences {
                        addFrame(
                            at: path + ".rule_type",
                            "Only an audience asks whether the visitor is in an experience: here the condition asks "
                                + "for a property.", "Put the condition into an audience of its own.")
                    }
                    checkPresence(leaf, at: path)
                    let type = leaf["rule_type"]?.stringValue ?? ""
                    checkType(type, of: leaf, at: path)
                    if type != question, !type.isEmpty, !type.hasPrefix("generic_"),
                        type.hasPrefix("bucketed") || nearest(to: type, among: [question]) != nil
                    {
                        addFrame(
                            at: path + ".rule_type",
                            "The rule type '\(type.excerpt())' asks for an attribute, not whether the visitor is in an "
                                + "experience.", "Write '\(question)'.")
                    }
                    guard clause.index < clauses.count, part.index < clauses[clause.index].count else { continue }
                    let condition = clauses[clause.index][clauses[clause.index].startIndex + part.index]
                    // A specific rule type, such as `url`, is the name of the value that it asks for.
                    let isGeneric = leaf["rule_type"]?.stringValue?.hasPrefix("generic_") ?? true
                    let isNameless = (leaf["key"] ?? .null).isNull || leaf["key"] == ""
                    if !asksForExperience, condition.defect == nil, isNameless, isGeneric {
                        let name = condition.key.map { "the attribute '\($0.excerpt())' is" } ?? "no attribute is"
                        addFrame(
                            at: path + ".key", "The condition has no key: \(name) asked for.",
                            "Write the attribute's name as key.")
                    }
                }
            }
        }
    }

    /// The rule types of numeric attributes and of boolean attributes, besides the generic types.
    private static let numericTypes = Set(
        DocumentedRuleTypes.numbers
            + ["local", "project"].flatMap { clock in
                ["day_of_week", "hour_of_day", "minute_of_hour"].map { "\(clock)_time_\($0)" }
            })
    private static let booleanTypes = Set(DocumentedRuleTypes.flags + ["visitor_data_exists"])

    /// Checks for a value that does not fit the rule type. Only the type of the value itself counts.
    private mutating func checkType(_ type: String, of leaf: JSObject, at path: String) {
        let isNumeric = type.hasPrefix("generic_numeric") || Self.numericTypes.contains(type)
        let isBoolean = type.hasPrefix("generic_bool") || Self.booleanTypes.contains(type)
        guard isNumeric || isBoolean, let value = leaf["value"],
            let operation = Operation(
                wireName: leaf["matching"]?.objectValue?["match_type"]?.stringValue ?? "", under: semantics)
        else { return }
        switch operation {
        case .equals, .less, .lessEqual: break
        default: return
        }
        let text = ECMAScript.toLowerCase(ECMAScript.toString(value))
        let fits = isNumeric ? NumericShape.isNumeric(value) : text == "true" || text == "false"
        // A placeholder or a comparison has its own finding.
        if fits || value.arrayValue != nil || value.objectValue != nil
            || !text.allSatisfy({ $0.isLetter || $0.isNumber }) && !text.isNumberRange
        {
            return
        }
        let kind = isNumeric ? "number" : "boolean"
        addFrame(
            at: path + ".value",
            "The rule type '\(type.excerpt())' stands for a \(kind), and \(ECMAScript.jsonText(of: value).excerpt()) "
                + "is not one: it is compared as it is, so that no \(kind) meets it.",
            (isNumeric ? "Write a number" : "Write true or false") + ", or 'generic_text_key_value' as rule_type.")
    }

    /// Checks for a condition that asks whether an attribute exists, with a value that denies it.
    private mutating func checkPresence(_ leaf: JSObject, at path: String) {
        let matchType = leaf["matching"]?.objectValue?["match_type"]?.stringValue ?? ""
        guard matchType == "exists", let value = leaf["value"] else { return }
        let isDenial = value == false || ["false", "no"].contains(ECMAScript.toLowerCase(value.stringValue ?? ""))
        if !isDenial { return }
        addFrame(
            at: path + ".value",
            "exists does not read the value \(ECMAScript.jsonText(of: value)): visitors with the attribute match.",
            "Remove the value, or negate the condition.")
    }

    /// Checks that a value is a list.
    private mutating func checkList(_ value: JSValue?, at path: String, _ consequence: String) {
        guard let value, !value.isNull, value.arrayValue == nil else { return }
        addFrame(
            at: path, "\(ECMAScript.jsonText(of: value).excerpt()) is not a list and is not read: \(consequence)",
            "Write a list, in brackets.")
    }

    /// Checks that a value is one of the expected names.
    private mutating func checkChoice(
        _ value: JSValue?, of names: [String], at path: String, _ consequence: String, synonyms: [String: String] = [:]
    ) {
        guard let value, !value.isNull else { return }
        if let text = value.stringValue, names.contains(text) { return }
        let shown = value.stringValue.map { "'\($0.excerpt())'" } ?? ECMAScript.jsonText(of: value).excerpt()
        let meant = value.stringValue.flatMap { synonyms[ECMAScript.toLowerCase($0)] ?? nearest(to: $0, among: names) }
        addFrame(
            at: path, "\(shown) is not one of \(names.joined(separator: ", ")): \(consequence)",
            meant.hint + "Write one of these names.")
    }

    mutating func addFrame(
        _ severity: LintFinding.Severity = .warning, at path: String, _ message: String, _ remedy: String
    ) {
        add(.readOtherwise, severity, at: path, message, remedy: remedy)
    }
}
