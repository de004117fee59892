internal import ConvertECMAScript

// The texts that explanations consist of.

extension DecisionFact {
    /// The gate that the fact belongs to, and the finding in words.
    func finding(passed: Bool) -> (gate: Explanation.Gate.Kind, detail: String) {
        let notFound = passed ? "" : ": not found"
        switch self {
        case .preview: return (.preview, "previewed, whatever the other gates say")
        case .archived(let isArchived): return (.archived, isArchived ? "archived" : "not archived")
        case .environment(let asked, .anywhere, let published):
            return (.environment, "runs anywhere, asked for \(asked)\(Self.remark(onPublished: published))")
        case .environment(let asked, .only(let name), _):
            return (.environment, "runs in \(name), asked for \(asked)")
        case .environment(_, .nowhere, _): return (.environment, "its environment is not text: it runs nowhere")
        case .storedDecision(nil): return (.storedDecision, "none stored")
        case .storedDecision(let stored?):
            let variation = stored.key.map { "\($0) (\(stored.id))" } ?? stored.id
            let remark = stored.isInConfig ? "" : ", which is not in the config"
            return (.storedDecision, "stored variation \(variation)\(remark)")
        case .location(let finding): return (.location, finding.detail)
        case .audiences(let matched, let checked, let needed, let attached):
            return (.audiences, "\(matched) of \(checked) to check match, \(needed.text), \(attached) attached")
        case .malformedAudience: return (.audiences, "null where rules need an object")
        case .segments(let ids): return (.segments, "in any of \(ids.joined(separator: ", "))")
        case .variations(let count): return (.variations, count.counted("variation"))
        case .selection(.stored): return (.selection, "the stored decision")
        case .selection(.unowned(let value)): return (.selection, "bucket value \(value) lies outside of every arm")
        case .selection(.forced): return (.selection, "forced\(notFound)")
        case .selection(.bucketed(let value)): return (.selection, "bucket value \(value)\(notFound)")
        }
    }

    /// A remark about the list of environments, which looks like a restriction but restricts no visitor.
    private static func remark(onPublished names: [String]) -> String {
        if names.isEmpty { return "" }
        let list = names.prefix(5).map { $0.excerpt() }.joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        return "; 'environments' names \(list) and restricts no visitor"
    }
}

extension DecisionFact.LocationFinding {
    fileprivate var detail: String {
        switch self {
        case .ignored: "location properties are ignored"
        case .missing: "no location properties were given"
        case .unrestricted: "not restricted"
        case .rules(let verdict): Explanation.Verdict(verdict).rawValue
        }
    }
}

extension ProjectConfig.Experience.Matching {
    fileprivate var text: String {
        switch self {
        case .any: "any needed"
        case .all: "all needed"
        case .missing: "settings.matching_options is missing"
        }
    }
}

extension Project {
    /// The entity whose rules are evaluated, in words.
    func text(of subject: RuleSubject) -> String {
        switch subject {
        case .siteArea: "site area"
        case .goal(let key): "goal \(key)"
        case .segment(let index): "segment \(config.segments[index].key ?? config.segments[index].id.text)"
        case .location(let index):
            "location \(config.locations[index].entityKey.lookUp.name)"
                + (ruleSets.locations[index] == nil ? " has no rules" : "")
        case .audience(let index): text(ofAudience: index)
        }
    }

    private func text(ofAudience index: Int) -> String {
        let (key, id) = (config.audiences[index].key, config.audiences[index].id.text)
        let name = "audience \(key.map { "\($0) (\(id))" } ?? id)"
        switch ruleSets.audiences[index].test {
        case .rules: return name
        case .never: return name + " has no rules"
        case .bucketedInto(let experience, let negated):
            return name + " asks for \(negated ? "no" : "a") decision stored for experience "
                + (experience.map { model($0).id.key.name } ?? "(unknown)")
        }
    }
}
