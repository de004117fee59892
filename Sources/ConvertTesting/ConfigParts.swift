import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// The parts of a project, by kind.
struct ConfigParts {
    private var experiences: [Experience] = []
    private var audiences: [Audience] = []
    private var locations: [ProjectConfig.Location] = []
    private var segments: [ProjectConfig.Segment] = []
    private var features: [Feature] = []
    private var goals: [Goal] = []

    mutating func append(_ part: TestProject.Part) {
        switch part.content {
        case .experience(let experience): experiences.append(experience)
        case .audience(let audience): audiences.append(audience)
        case .location(let location): locations.append(location)
        case .segment(let segment): segments.append(segment)
        case .feature(let feature): features.append(feature)
        case .goal(let goal): goals.append(goal)
        }
    }

    /// Creates the config of a project, with ids in place of the keys by which parts refer to each other.
    func config(accountID: String, projectID: String) -> ProjectConfig {
        // An experience's audiences may include segments.
        let audienceIDs = ids(segments.map { ($0.entityKey, $0.id) } + audiences.map { ($0.entityKey, $0.id) })
        let locationIDs = ids(locations.map { ($0.entityKey, $0.id) })
        let featureIDs = ids(features.map { ($0.entityKey, $0.id) })
        var resolved = experiences
        for index in resolved.indices {
            resolved[index].audiences = resolved[index].audiences.map { audienceIDs[$0.key] ?? $0 }
            resolved[index].locations = resolved[index].locations.map { locationIDs[$0.key] ?? $0 }
            for place in resolved[index].variations.indices {
                let changes = resolved[index].variations[place].changes
                resolved[index].variations[place].changes = changes.map { $0.with(featureIDs) }
            }
        }
        return ProjectConfig(
            accountID: accountID, projectID: projectID, experiences: resolved, audiences: audiences,
            locations: locations, segments: segments, features: features, goals: goals)
    }

    /// One sentence for each reference to a name that no part has.
    var undeclaredNames: [String] {
        let audienceNames = names(segments.map { ($0.key, $0.id) } + audiences.map { ($0.key, $0.id) })
        let locationNames = names(locations.map { ($0.key, $0.id) })
        let featureNames = names(features.map { ($0.key, $0.id) })
        return experiences.flatMap { experience in
            experience.audiences.compactMap { unknown("audience or segment", $0.text, of: experience, audienceNames) }
                + experience.locations.compactMap { unknown("location", $0.text, of: experience, locationNames) }
                + experience.variations.flatMap(\.changes).compactMap { change in
                    change.featureName.flatMap { unknown("feature", $0, of: experience, featureNames) }
                }
        }
    }

    private func unknown(_ kind: String, _ name: String, of experience: Experience, _ names: [String]) -> String? {
        if names.contains(where: { $0.hasSameCodeUnits(as: name) }) { return nil }
        return "experience '\(experience.key ?? experience.id.text)' of a TestProject names "
            + "\(kind) '\(name)', which the project does not have\(UnknownName(kind, name, among: names).question)"
    }

    private func names(_ entities: [(key: String?, id: EntityID)]) -> [String] {
        entities.flatMap { [$0.id.text] + ($0.key.map { [$0] } ?? []) }
    }

    private func ids(_ entities: [(key: EntityKey, id: EntityID)]) -> [PropertyKey: EntityID] {
        Dictionary(entities.map { ($0.key.lookUp, $0.id) }, uniquingKeysWith: { $1 })
    }
}

extension Variation.Change {
    /// The key or id of the carried feature.
    fileprivate var featureName: String? { data?.objectValue?["feature_id"]?.stringValue }

    /// The change with the feature's id in place of its key.
    fileprivate func with(_ ids: [PropertyKey: EntityID]) -> Variation.Change {
        guard let data = data?.objectValue, let key = data["feature_id"]?.stringValue, let id = ids[PropertyKey(key)]
        else { return self }
        return Variation.Change(featureID: id.text, variables: data["variables_data"]?.objectValue ?? JSObject())
    }
}
