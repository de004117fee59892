internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for members that are never read.
extension LintContext {
    /// The members of a kind of object: members that the SDK reads, and members that only Convert's services write.
    private struct Shape {
        let read: [String]
        let written: [String]
        /// Members that are read only inside another member of the object, with that member's name.
        var inside: [String: String] = [:]
        /// Members that are read, by their names in other services.
        var synonyms: [String: String] = [:]
        /// The members that would keep visitors out if they were read.
        var restrictions = Restrictions()
    }

    /// Members that keep visitors out in other services, or in another place.
    private struct Restrictions {
        /// In lower case, with underscores between words.
        var names: Set<String> = []
        var effect = ""
        var remedy = ""
    }

    private static let config = Shape(
        read: [
            "account_id", "project", "experiences", "audiences", "locations", "segments", "features", "goals",
            "archived_experiences", "error",
        ], written: ["is_debug", "_s_t", "environment", "version", "generated_at"],
        synonyms: [
            "experiments": "experiences", "tests": "experiences", "campaigns": "experiences",
            "targeting": "audiences", "flags": "features", "feature_flags": "features", "featureflags": "features",
            "metrics": "goals", "events": "goals",
        ])
    private static let project = Shape(
        read: ["id", "name", "type", "environments", "settings"],
        written: ["utc_offset", "domains", "global_javascript", "custom_domain", "version", "status", "key"])
    private static let entities: [ConfigDocument.List: Shape] = [
        .experiences: Shape(
            read: [
                "id", "key", "name", "type", "status", "version", "environment", "environments", "settings",
                "locations", "site_area", "audiences", "goals", "variations",
            ],
            written: [
                "global_js", "global_css", "integrations", "url", "multipage_pages", "description", "primary_goal",
            ],
            inside: [
                "matching_options": "settings", "traffic_allocation": "variations", "weights": "variations",
                "weight": "variations",
            ],
            synonyms: [
                "segments": "audiences", "conditions": "audiences", "rules": "audiences", "targeting": "audiences",
                "arms": "variations", "variants": "variations", "metrics": "goals", "audienceids": "audiences",
                "audience_ids": "audiences", "audienceconditions": "audiences", "audience_conditions": "audiences",
            ], restrictions: experienceRestrictions),
        .audiences: Shape(
            read: ["id", "key", "name", "type", "rules"], written: ["status", "description", "is_default"],
            synonyms: ruleSynonyms),
        .locations: Shape(
            read: ["id", "key", "name", "rules"], written: ["trigger", "status", "description"],
            synonyms: ruleSynonyms),
        .segments: Shape(
            read: ["id", "key", "name", "rules"], written: ["status", "description", "type"], synonyms: ruleSynonyms),
        .features: Shape(
            read: ["id", "key", "name", "variables"], written: ["status", "description"],
            synonyms: ["data": "variables", "properties": "variables", "fields": "variables"]),
        .goals: Shape(
            read: ["id", "key", "name", "type", "rules"],
            written: ["settings", "triggering_type", "is_default", "status", "description"], synonyms: ruleSynonyms),
    ]
    private static let ruleSynonyms = [
        "conditions": "rules", "condition": "rules", "rule": "rules", "filters": "rules",
    ]
    private static let variation = Shape(
        read: ["id", "key", "name", "status", "traffic_allocation", "changes"],
        written: ["description", "is_baseline", "concurrency_key"],
        synonyms: [
            "weight": "traffic_allocation", "percentage": "traffic_allocation", "percent": "traffic_allocation",
            "allocation": "traffic_allocation", "traffic": "traffic_allocation", "share": "traffic_allocation",
            "split": "traffic_allocation", "rollout": "traffic_allocation",
        ])
    private static let change = Shape(read: ["type", "data"], written: ["id", "concurrency_key"])
    private static let featureData = Shape(
        read: ["feature_id", "variables_data"], written: ["feature_key"],
        synonyms: ["variables": "variables_data", "values": "variables_data", "feature": "feature_id"])
    private static let matchingOptions = Shape(read: ["audiences"], written: ["locations"])
    private static let variable = Shape(read: ["key", "type"], written: ["id", "name", "default", "default_value"])
    private static let leaf = Shape(
        read: ["rule_type", "key", "value", "matching"], written: ["id", "name", "matchings"],
        inside: ["match_type": "matching", "negated": "matching"],
        synonyms: [
            "attribute": "key", "property": "key", "field": "key", "contextname": "key", "values": "value",
        ].merging(operatorNames.mapValues { "matching.\($0)" }) { first, _ in first })
    private static let matching = Shape(
        read: ["match_type", "negated"], written: [],
        synonyms: operatorNames.merging(["type": "match_type", "name": "match_type"]) { first, _ in first })
    /// The names of other services for operators and negations.
    private static let operatorNames = [
        "operator": "match_type", "op": "match_type", "match": "match_type", "matcher": "match_type",
        "comparator": "match_type", "comparison": "match_type", "operation": "match_type", "matchtype": "match_type",
        "negate": "negated", "not": "negated", "inverted": "negated", "invert": "negated", "negative": "negated",
        "negation": "negated", "is_negated": "negated", "isnegated": "negated",
    ]
    private static let experienceRestrictions = Restrictions(
        names: [
            "start_date", "end_date", "starts_at", "ends_at", "start_time", "end_time", "start", "end", "schedule",
            "holdout", "holdouts", "mutex", "mutex_group", "exclusion_group", "exclude", "excluded", "exclusions",
            "exclude_audiences", "excluded_audiences", "audience_exclusions", "exclude_locations", "layer", "namespace",
            "prerequisites", "prerequisite", "whitelist", "allowlist", "blocklist", "overrides", "forced_variations",
            "targets", "coverage", "rollout", "sampling",
        ], effect: "it restricts neither visitors nor times.",
        remedy: "Restrict visitors by audiences, or change the config when the time has come; then remove the member.")
    private static let ruleRestrictions = Restrictions(
        names: Set(
            ["or", "and", "or_when", "not", "nor", "any", "all", "none", "exclude", "conditions", "rules", "negated"]
                + operatorNames.filter { $0.value == "negated" }.keys),
        effect: "its conditions have no effect.",
        remedy: "Put its conditions into the lists OR, AND and OR_WHEN, each negated where it excludes visitors.")

    mutating func checkMembers() {
        check(document.root, Self.config, at: "$")
        if let project = document.root["project"]?.objectValue { check(project, Self.project, at: "$.project") }
        for list in ConfigDocument.List.allCases {
            guard let shape = Self.entities[list] else { continue }
            for entity in document[list] {
                check(entity.members, shape, at: entity.path)
                if list == .experiences { checkSettings(entity.members["settings"], at: entity.path + ".settings") }
                checkRules(entity.members["rules"], at: entity.path + ".rules")
                checkRules(entity.members["site_area"], at: entity.path + ".site_area")
                for variable in entity.parts("variables") { check(variable, Self.variable) }
                for variation in entity.variations {
                    check(variation, Self.variation)
                    for change in variation.parts("changes") {
                        check(change, Self.change)
                        // The data of other changes is for scripts in a page.
                        if let data = change.carried { check(data, Self.featureData, at: change.path + ".data") }
                    }
                }
            }
        }
    }

    /// The settings contain many members for other services. Decisions read only one of them.
    private mutating func checkSettings(_ settings: JSValue?, at path: String) {
        guard let settings = settings?.objectValue else { return }
        if let options = settings["matching_options"] {
            if let options = options.objectValue {
                check(options, Self.matchingOptions, at: path + ".matching_options")
            }
        } else {
            for member in settings where nearest(to: member.key.name, among: ["matching_options"]) != nil {
                add(unread(member.key.name, at: path, member.value, nearest: "matching_options"))
            }
        }
    }

    private mutating func checkRules(_ rules: JSValue?, at path: String) {
        guard let rules = rules?.objectValue else { return }
        func shape(_ list: String) -> Shape {
            Shape(read: [list], written: [], restrictions: Self.ruleRestrictions)
        }
        check(rules, shape("OR"), at: path)
        for group in ConfigDocument.Part.all(of: rules["OR"], at: path + ".OR") {
            check(group, shape("AND"))
            for clause in group.parts("AND") {
                check(clause, shape("OR_WHEN"))
                for leaf in clause.parts("OR_WHEN") {
                    let matching = ForeignMatching(
                        leaf.members, under: semantics, Self.leaf.synonyms, Self.matching.synonyms)
                    check(leaf, Self.leaf, matching)
                    if let own = leaf.members["matching"]?.objectValue {
                        check(own, Self.matching, at: leaf.path + ".matching", matching)
                    }
                }
            }
        }
    }

    private mutating func check(
        _ part: ConfigDocument.Part, _ shape: Shape, _ matching: ForeignMatching? = nil
    ) {
        check(part.members, shape, at: part.path, matching)
    }

    /// - Parameter matching: the intended operator and negation, if the object belongs to a condition with foreign
    ///   names.
    private mutating func check(
        _ object: JSObject, _ shape: Shape, at path: String, _ matching: ForeignMatching? = nil
    ) {
        // If a list is missing and its contents stand in its place, the finding about the list says so.
        if shape.read.count == 1, let list = shape.read.first, Self.misplacedMember(in: object, insteadOf: list) != nil
        {
            return
        }
        // Several foreign members that stand for one `matching` are one mistake.
        var firstOfMatching: [String] = []
        for member in object {
            let name = member.key.name
            if shape.read.contains(name) || shape.written.contains(name) { continue }
            // A name that already exists cannot be the intended one.
            let synonym = shape.synonyms[ECMAScript.toLowerCase(name)].flatMap { object[$0] == nil ? $0 : nil }
            let nearest = synonym ?? nearest(to: name, among: shape.read.filter { object[$0] == nil })
            let restrictions = shape.restrictions
            let isRestriction =
                restrictions.names.contains(Self.joined(name))
                || restrictions.names.contains(ECMAScript.toLowerCase(name))
            if nearest == nil, isRestriction, member.value.isTruthy, member.value.arrayValue?.isEmpty != true {
                add(
                    .unreadMember, .warning, at: "\(path).\(name.excerpt())",
                    "The member '\(name.excerpt())' is never read: \(restrictions.effect)",
                    remedy: restrictions.remedy)
                continue
            }
            if nearest == nil, shape.inside[name] == nil, let switched = Self.switchedOff(name, member.value) {
                add(
                    .unreadMember, .warning, at: "\(path).\(name.excerpt())",
                    "The member '\(name.excerpt())' is never read: the object is in use, although it says that it is "
                        + "\(switched).",
                    remedy: "Remove what must not be used, or archive the experience.")
                continue
            }
            let owner = shape.inside[name]
            let target = nearest ?? owner.map { "\($0).\(name)" }
            if let target { misnamedMembers["\(path).\(target)"] = "\(path).\(name.excerpt())" }
            let remedy = target.flatMap { target in
                ["match_type", "negated"].contains { target.hasSuffix($0) } ? matching?.remedy : nil
            }
            var finding = unread(name, at: path, member.value, nearest: nearest, inside: owner, remedy)
            if remedy != nil {
                finding.origins = firstOfMatching
                if firstOfMatching.isEmpty { firstOfMatching = [finding.path] }
            }
            add(finding)
        }
    }

    /// The name in snake case: `endDate` becomes `end_date`.
    private static func joined(_ name: String) -> String {
        name.reduce(into: "") { joined, character in
            if character.isUppercase, !joined.isEmpty { joined.append("_") }
            joined += character.lowercased()
        }
    }

    /// The state, such as `disabled`, that a member sets in other services; `nil` if it does not switch its object off.
    private static func switchedOff(_ name: String, _ value: JSValue) -> String? {
        let isOff = value == false || value == "false" || value == 0
        let isOn = value == true || value == "true" || value == 1
        return switch ECMAScript.toLowerCase(name) {
        case "enabled", "is_enabled", "isenabled", "on": isOff ? "disabled" : nil
        case "active", "is_active", "isactive": isOff ? "inactive" : nil
        case "disabled", "is_disabled", "isdisabled": isOn ? "disabled" : nil
        case "archived", "is_archived", "isarchived": isOn ? "archived" : nil
        case "deleted", "is_deleted", "isdeleted": isOn ? "deleted" : nil
        case "paused", "is_paused", "ispaused": isOn ? "paused" : nil
        default: nil
        }
    }

    private func unread(
        _ name: String, at path: String, _ value: JSValue, nearest: String?, inside owner: String? = nil,
        _ remedy: String? = nil
    ) -> LintFinding {
        // If a list of the config is missing, all of its entities are missing.
        let isList =
            path == "$" && nearest.map { ConfigDocument.List(rawValue: $0) != nil } ?? false
            && value.arrayValue?.contains { $0.objectValue != nil } ?? false
        return LintFinding(
            .unreadMember, isList ? .error : nearest == nil && owner == nil ? .note : .warning,
            at: "\(path).\(name.excerpt())",
            "The member '\(name.excerpt())' is never read" + (owner.map { ": it belongs in '\($0)'." } ?? "."),
            remedy: remedy ?? owner.map { "Move it into '\($0)'." } ?? nearest.map { "Did you mean '\($0)'?" }
                ?? "Remove it, unless another program reads it.")
    }
}
