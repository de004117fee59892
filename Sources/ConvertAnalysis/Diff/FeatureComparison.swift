internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Which features variations carry, and with which variables, before and after.
struct FeatureComparison {
    let changes: [ConfigDifference.Feature]

    /// What variations carry: by feature, experience and variation the variables, and the feature's declaration.
    private struct Carried {
        var variables: [PropertyKey: [PropertyKey: JSObject]] = [:]
        var types: [PropertyKey: JSObject] = [:]
        var keys: [PropertyKey] = []

        init(_ project: Project) {
            let config = project.config
            let archive = VisitorReplay(project, environment: nil)
            let names = Dictionary(
                config.features.map { ($0.id.key, $0.entityKey.lookUp) }, uniquingKeysWith: { $1 })
            for feature in config.features {
                let key = feature.entityKey.lookUp
                if types[key] == nil { keys.append(key) }
                types[key] = JSObject(feature.variables.map { ($0.key, .string($0.type ?? "")) })
            }
            for experience in config.experiences where !archive.isArchived(experience) {
                for variation in experience.variations {
                    for change in variation.changes where change.type == "fullStackFeature" {
                        guard let data = change.data?.objectValue, let id = EntityID(data["feature_id"]),
                            let key = names[id.key]
                        else { continue }
                        let place = variation.key ?? variation.id?.text ?? ""
                        let values = data["variables_data"] ?? .null
                        variables[key, default: [:]][experience.entityKey.lookUp, default: JSObject()][place] = values
                    }
                }
            }
        }
    }

    init(_ old: Project, _ new: Project) {
        let (before, after) = (Carried(old), Carried(new))
        let keys = after.keys + before.keys.filter { after.types[$0] == nil }
        changes = keys.compactMap { key in
            let (first, second) = (before.variables[key] ?? [:], after.variables[key] ?? [:])
            let change: ConfigDifference.Change
            switch (before.types[key], after.types[key]) {
            case (nil, _): change = .added
            case (_, nil): change = .removed
            case (let types?, let others?): change = types == others && first == second ? .none : .changed
            }
            if change == .none { return nil }
            let hasOtherTypes = before.types[key] != after.types[key]
            let experiences = Set(first.keys).union(second.keys).filter { hasOtherTypes || first[$0] != second[$0] }
            return ConfigDifference.Feature(
                key: key.name, change: change, experiences: experiences.map(\.name).sorted())
        }
    }
}
