internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Experiences that nobody can enter.
extension LintContext {
    mutating func checkReachability() {
        var seen: Set<PropertyKey> = []
        for experience in document[.experiences] where !document.isArchived(experience) {
            // A second experience with the id is reported already, and not decided by it.
            guard let id = experience.id, seen.insert(id.key).inserted,
                let model = project.config.experiences.first(where: { $0.id.key == id.key }),
                !BucketRuns(model, under: semantics).isEmpty
            else { continue }
            if model.environment == .nowhere { continue }
            switch search.run([entrances.formula(of: model)]) {
            case .impossible:
                add(
                    LintFinding(
                        .experienceUnreachable, at: experience.path,
                        "No new visitor can enter \(experience.name): \(entrances.obstacle(to: model, search)).",
                        remedy: "Correct what it asks for, or archive it."))
            case .undecided:
                addUndecided(experience, "the questions take more than the limits allow, or a pattern is opaque")
            case .found(let found):
                let replay = VisitorReplay(project, environment: model.environmentName)
                if replay.visitor(entering: model, as: found) == nil {
                    addUndecided(experience, "a visitor who should enter does not")
                }
            }
        }
    }

    private mutating func addUndecided(_ experience: ConfigDocument.Entity, _ reason: String) {
        add(
            LintFinding(
                .undecided, at: experience.path,
                "It was not decided whether anybody can enter \(experience.name): \(reason).",
                remedy: "Simplify its audiences, or raise the limits."))
    }
}
