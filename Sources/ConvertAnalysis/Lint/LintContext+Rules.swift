internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks rule graphs: first their conditions one by one, then their groups and each graph as a whole.
extension LintContext {
    mutating func checkRules() {
        var names: [(name: String, path: String)] = []
        var uses = AttributeUses()
        // A question that stands for the whole graph does not depend on attributes.
        for rules in allRules where rules.question == nil {
            checkConditions(of: rules, &names, &uses)
            checkTruth(of: rules)
        }
        checkCase(of: names)
        for finding in uses.findings { add(finding) }
    }

    /// The rule graphs of a config, with their places.
    static func rules(of document: ConfigDocument, under semantics: RuleSemantics) -> [RuleSet] {
        var result: [RuleSet] = []
        func append(_ entity: ConfigDocument.Entity, _ member: String, _ scope: Formula.Scope) {
            guard let tree = entity.rules(member) else { return }
            result.append(RuleSet(entity: entity, member: member, scope: scope, tree: tree, semantics: semantics))
        }
        for audience in document[.audiences] { append(audience, "rules", .visitor) }
        for location in document[.locations] { append(location, "rules", .location) }
        for segment in document[.segments] { append(segment, "rules", .visitor) }
        for goal in document[.goals] { append(goal, "rules", .visitor) }
        for experience in document[.experiences] where (experience.members["locations"]?.arrayValue ?? []).isEmpty {
            append(experience, "site_area", .location)
        }
        return result
    }

    private mutating func checkConditions(
        of rules: RuleSet, _ names: inout [(name: String, path: String)], _ uses: inout AttributeUses
    ) {
        if rules.groups.isEmpty {
            addEmpty("OR", rules.value, at: rules.path, "\(rules.entity.name) never matches.", "a group of conditions")
        }
        for (group, block) in rules.groups.enumerated() {
            if block.clauses.isEmpty {
                let value = rules.value(at: [("OR", group)])
                addEmpty("AND", value, at: rules.path(group), "the group never matches.", "a clause")
            }
            var known = KnownConditions()
            for (clause, conditions) in block.clauses.enumerated() {
                if conditions.isEmpty {
                    let value = rules.value(at: [("OR", group), ("AND", clause)])
                    addEmpty(
                        "OR_WHEN", value, at: rules.path(group, clause), "the clause never matches.", "a condition")
                }
                var sites = rules.sites[group][clause].makeIterator()
                for (leaf, condition) in conditions.enumerated() {
                    switch condition.defect {
                    case .null?: addNull(at: rules.pathOfNull(group, clause, leaf))
                    case .invalid(let reason)?:
                        addInvalid(condition, reason, at: rules.path(group, clause, leaf))
                    case nil:
                        guard let site = sites.next() else { continue }
                        let number = pool.intern(condition)
                        checkMeaning(of: number, site, of: rules.entity)
                        if let finding = known.finding(about: site, number, under: semantics) { add(finding) }
                        uses.add(site)
                        if let key = condition.key { names.append((key, site.keyPath)) }
                    }
                }
            }
        }
    }

    /// Adds a finding for a member that has no elements or is not a list.
    private mutating func addEmpty(
        _ member: String, _ owner: JSValue?, at path: String, _ consequence: String, _ element: String
    ) {
        let value = owner?.objectValue?[member] ?? .null
        let isOther = !value.isNull && value.arrayValue == nil
        if let owner, !owner.isNull, owner.objectValue == nil {
            let text = ECMAScript.jsonText(of: owner).excerpt()
            return add(
                .malformed, at: path,
                "\(text) stands where an object with \(member) is expected: \(consequence)",
                remedy: owner.arrayValue == nil
                    ? "Write {\"\(member)\": [ … ]}." : "Put the list into an object: {\"\(member)\": [ … ]}.")
        }
        if let found = owner?.objectValue.flatMap({ Self.misplacedMember(in: $0, insteadOf: member) }) {
            return add(
                .malformed, at: path, "\(found) stands where \(member) is expected: \(consequence)",
                remedy: "Put what stands there into a list: {\"\(member)\": [ … ]}.")
        }
        add(
            .malformed, at: path,
            isOther
                ? "\(member) is \(ECMAScript.jsonText(of: value).excerpt()), which is not a list: \(consequence)"
                : "\(member) is missing or empty: \(consequence)",
            remedy: isOther ? "Write a list, in brackets." : "Add \(element), or remove the part that lacks it.",
            under: misnamed(at: "\(path).\(member)"))
    }

    /// The member of an object that belongs one or more lists deeper; `nil` if the object has no such member, or has
    /// the `expected` list.
    static func misplacedMember(in object: JSObject, insteadOf expected: String) -> String? {
        let steps = ["OR", "AND", "OR_WHEN", "matching", "rule_type"]
        guard object[expected] == nil, let place = steps.firstIndex(of: expected) else { return nil }
        let found = steps[(place + 1)...].first { object[$0] != nil }
        return found == "matching" || found == "rule_type" ? "A condition" : found
    }

    private mutating func addNull(at path: String) {
        add(
            .malformed, at: path, "null stands where the rules need an object: they stop here without a match.",
            remedy: "Remove it, or write the object.")
    }

    /// A condition that is incomplete, or has an unknown operator.
    private mutating func addInvalid(_ condition: RuleCondition, _ reason: String, at path: String) {
        let isUnknown =
            Operation(wireName: condition.matchType, under: semantics) == nil
            && !condition.matchType.isEmpty && reason.hasPrefix("unknown")
        guard isUnknown else {
            return add(
                .incompleteCondition, at: path,
                "Incomplete: \(reason). The condition never holds, negated or not.",
                remedy: "Write rule_type, key, value and matching with match_type and a boolean negated.",
                under: ["key", "value", "matching", "matching.match_type", "matching.negated"].flatMap {
                    misnamed(at: "\(path).\($0)")
                })
        }
        let known = Operation.wireNames.filter { Operation(wireName: $0, under: semantics) != nil }
        let edit = ForeignOperator(condition.matchType).map { other in
            ConditionEdit(
                condition.comparing(
                    other.name, other.asksForPresence ? nil : condition.value, negated: other.isNegated),
                isNegated: condition.negation)
        }
        let remedy =
            edit?.sentence(replacing: condition, "")
            ?? (ForeignOperator.comparesVersions(condition.matchType) ? ForeignOperator.versionRemedy : nil)
            ?? known.nearest(to: condition.matchType).hint
            + "Name one of \(known.prefix(13).joined(separator: ", "))."
        add(
            .unknownOperator, at: path + ".matching.match_type",
            "There is no operator '\(condition.matchType.excerpt())': the condition never holds, negated or not.",
            remedy: remedy, edit: edit)
    }

    private mutating func checkMeaning(
        of number: Int, _ site: SitedCondition, of entity: ConfigDocument.Entity
    ) {
        for note in notes(on: number) {
            add(
                note.code, at: site.valuePath, note.message, remedy: note.remedy,
                under: [.emptyPattern, .incomparableValue].contains(note.code) ? [site.valuePath] : [],
                edit: note.edit)
        }
        if entity.list == .audiences, let key = site.condition.key, ReportSegments.contains(PropertyKey(key)) {
            add(
                .reportSegment, at: site.keyPath,
                "'\(key)' is a report segment: the SDK stores the value that a context is given, so rules also "
                    + "see it in the visitor's later contexts, which are not given it.",
                remedy: "Nothing, if that is meant; else use a name of your own.")
        }
    }

    /// The notes on a condition's value that do not depend on its place.
    private mutating func notes(on number: Int) -> [ValueNote] {
        if let known = valueNotes[number] { return known }
        let domain = pool[number]
        var notes = domain.operation == .regexMatches ? patternNotes(on: domain) : []
        if let problem = domain.typeProblem {
            notes.append(
                ValueNote(
                    .incomparableValue, "\(domain.condition.matchType) cannot compare this value: \(problem)",
                    remedy: domain.typeRemedy))
        }
        valueNotes[number] = notes
        return notes
    }

    private func patternNotes(on domain: ConditionDomain) -> [ValueNote] {
        let text = ECMAScript.toString(domain.condition.value)
        let expression: RegExp
        do {
            expression = try pool.patterns.expression(of: PropertyKey(text)).get()
        } catch {
            let (edit, remedy) = Self.remedy(forInvalid: text, of: domain.condition)
            return [
                ValueNote(
                    .invalidPattern,
                    "The pattern cannot be read: \(error). The condition "
                        + (domain.constant == true ? "always holds." : "never holds, negated or not."),
                    remedy: remedy, edit)
            ]
        }
        var notes: [ValueNote] = []
        if expression.plan.executor == .backtracker {
            notes.append(
                ValueNote(
                    .expensivePattern,
                    "Matching may exceed the step limit; the pattern then counts as not matching: "
                        + "\(expression.plan.reason).",
                    remedy: "Write it without back references and with smaller counts."))
        }
        guard domain.opacity == nil else { return notes }
        let positive = RuleCondition(
            key: domain.condition.key ?? "x", matchType: "regexMatches", value: domain.condition.value)
        if search.isImpossible([pool.formula(of: positive, .visitor)]) {
            notes.append(
                ValueNote(
                    .emptyPattern, "No text matches the pattern \(text.excerpt()).",
                    remedy: "Correct the pattern; it is matched against the visitor's value in lower case."))
        }
        return notes
    }
}
