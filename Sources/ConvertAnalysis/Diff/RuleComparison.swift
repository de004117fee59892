internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Compares the goals and segments of two configs: the keys by which calls find them, and their rules.
struct RuleComparison: EntranceComparing {
    let entrances: EntranceComparison

    private struct Entity {
        let id: EntityID
        let key: EntityKey
        let rules: RuleTree?
    }

    private func goals(_ side: EntranceComparison.Side) -> [Entity] {
        side.project.config.goals.map { Entity(id: $0.id, key: $0.entityKey, rules: $0.rules) }
    }

    private func segments(_ side: EntranceComparison.Side) -> [Entity] {
        side.project.config.segments.map { Entity(id: $0.id, key: $0.entityKey, rules: $0.rules) }
    }

    /// Goals whose keys are gone, each with the key that the goal of its id has now.
    var lostGoals: [ConfigDifference.Goal] {
        lostKeys(goals(old), goals(new)).map { ConfigDifference.Goal(oldKey: $0, key: $1) }
    }

    /// Segments whose keys are gone, each with the key that the segment of its id has now.
    var lostSegments: [ConfigDifference.Segment] {
        lostKeys(segments(old), segments(new)).map { ConfigDifference.Segment(oldKey: $0, key: $1) }
    }

    private func lostKeys(_ before: [Entity], _ after: [Entity]) -> [(old: String, new: String?)] {
        let keys = Set(after.map(\.key.lookUp))
        let names = Dictionary(firstOf: after.map { ($0.id, $0.key.text) })
        return before.compactMap { entity in
            guard let text = entity.key.text, !keys.contains(entity.key.lookUp) else { return nil }
            return (text, names[entity.id] ?? nil)
        }
    }

    /// The goals and segments of both configs whose rules are not proven to match as before.
    var changes: [ConfigDifference.Rules] {
        changes(.goal, goals(old), goals(new)) + changes(.segment, segments(old), segments(new))
    }

    private func changes(
        _ owner: ConfigDifference.Rules.Owner, _ before: [Entity], _ after: [Entity]
    ) -> [ConfigDifference.Rules] {
        let oldOnes = Dictionary(firstOf: before.map { ($0.id, $0) })
        return after.compactMap { entity in
            guard let was = oldOnes[entity.id] else { return nil }
            let change = change(old.entrances.formula(of: was.rules), new.entrances.formula(of: entity.rules))
            if change == .equivalent { return nil }
            let experiences = new.project.config.experiences.filter {
                owner == .segment && $0.audiences.contains(entity.id)
            }
            return ConfigDifference.Rules(
                owner: owner, key: entity.key.text ?? entity.id.text, change: change,
                experiences: experiences.map { $0.entityKey.lookUp.name })
        }
    }

    private func change(_ first: Formula, _ second: Formula) -> ConfigDifference.AudienceChange {
        if first == second { return .equivalent }
        return ConfigDifference.AudienceChange(
            isEntered: search.run([second, first.negated]).isPossible,
            isLeft: search.run([first, second.negated]).isPossible)
    }
}
