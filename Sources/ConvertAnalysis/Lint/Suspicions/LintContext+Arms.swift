internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for variations that do not differ, allocations in another unit, experiments without goals, and unused
/// entities.
extension LintContext {
    mutating func checkArms() {
        let types = variableTypes
        for experience in document[.experiences] where !document.isArchived(experience) {
            let takers = experience.variations.map { ($0, Self.percentage(of: $0.members["traffic_allocation"])) }
                .filter { $0.isRunning && $1 > 0 }
            let (running, weights) = (takers.map(\.0), takers.map(\.1))
            let total = weights.reduce(0, +)
            // A tenth of a percent may be a small rollout. Greater fractions are halves, quarters and so on.
            let areFractions = !weights.isEmpty && total < 1.02 && weights.allSatisfy { $0 >= 0.1 && $0 < 1 }
            if areFractions || running.count > 1 && abs(total - 1) < 0.02 {
                let sum = ECMAScript.toString((total * 100).rounded() / 100)
                add(
                    .fractionalAllocation,
                    at: "\(experience.path).variations[\(running.first?.index ?? 0)].traffic_allocation",
                    "The allocations of \(experience.name) add up to \(sum), and count as percentages: at most one "
                        + "visitor of a hundred takes part.",
                    remedy: "Write 50 for a half, if fractions are meant.")
            }
            guard running.count > 1 else { continue }
            checkCarried(by: running, of: experience, types)
            if experience.references("goals").isEmpty {
                add(
                    .noGoals, at: experience.path + ".goals",
                    "\(experience.name) shares visitors among \(running.count) variations and measures no goal.",
                    remedy: "Attach a goal, or make it a rollout with one variation.")
            }
        }
    }

    /// The types of variables, by the ids of features and the keys of variables.
    private var variableTypes: [PropertyKey: [PropertyKey: VariableType]] {
        var types: [PropertyKey: [PropertyKey: VariableType]] = [:]
        for feature in document[.features] {
            guard let id = feature.id else { continue }
            for variable in feature.parts("variables").reversed().map(\.members) {
                guard let key = variable["key"]?.stringValue else { continue }
                types[id.key, default: [:]][PropertyKey(key)] = VariableType(
                    rawValue: variable["type"]?.stringValue ?? "")
            }
        }
        return types
    }

    /// The variables that a change sets, as an app reads them.
    private static func variables(
        of data: JSObject, _ types: [PropertyKey: [PropertyKey: VariableType]]
    ) -> JSValue {
        guard let values = data["variables_data"]?.objectValue,
            let types = data.carriedFeatureID.flatMap({ types[$0.key] })
        else { return data["variables_data"] ?? .null }
        var casting = VariableCasting()
        var result = values
        for member in values {
            guard let type = types[member.key] else { continue }
            result[member.key] = casting.cast(member.value, to: type)
        }
        return .object(result.sortedByName)
    }

    private mutating func checkCarried(
        by running: [ConfigDocument.Part], of experience: ConfigDocument.Entity,
        _ types: [PropertyKey: [PropertyKey: VariableType]]
    ) {
        var known: [JSValue: String] = [:]
        for variation in running {
            let members = variation.members
            let changes = (members["changes"]?.arrayValue ?? []).map { change in
                var object = change.objectValue ?? JSObject()
                object["id"] = nil
                if object["type"] == "fullStackFeature", var data = object["data"]?.objectValue {
                    data["variables_data"] = Self.variables(of: data, types)
                    object["data"] = .object(data)
                }
                return JSValue.object(object)
            }
            if changes.isEmpty { continue }
            let name = (members["key"] ?? members["id"]).map { ECMAScript.toString($0) } ?? "\(variation.index)"
            guard let first = known[.array(changes)] else {
                known[.array(changes)] = name
                continue
            }
            add(
                .identicalVariations, at: variation.path + ".changes",
                "Variations '\(first.excerpt())' and '\(name.excerpt())' of \(experience.name) carry the same: "
                    + "a visitor of one could get the other.",
                remedy: "Correct the changes of one of them, or call it an A/A test and note that down.")
        }
        if known.count < 2 { return }
        var carried: [PropertyKey: [JSValue]] = [:]
        var carriers: [PropertyKey: [String]] = [:]
        for variation in running {
            for data in variation.parts("changes").compactMap(\.carried) {
                guard let id = data.carriedFeatureID else { continue }
                carried[id.key, default: []].append(Self.variables(of: data, types))
                carriers[id.key, default: []].append(variation.path)
            }
        }
        for feature in document[.features] {
            guard let id = feature.id, let values = carried[id.key] else { continue }
            checkMissingVariables(zip(carriers[id.key] ?? [], values).map { ($0, $1) }, of: feature, experience)
            guard values.count == running.count,
                values.allSatisfy({ $0 == values[0] })
            else { continue }
            add(
                .constantFeature, at: experience.path + ".variations",
                "All variations of \(experience.name) carry \(feature.name) with the same variables: it does not "
                    + "depend on the variation.",
                remedy: "Vary it, or carry it in a rollout of its own.")
        }
    }

    /// Checks for variations that carry a feature without a variable that other variations set.
    private mutating func checkMissingVariables(
        _ carried: [(variation: String, values: JSValue)], of feature: ConfigDocument.Entity,
        _ experience: ConfigDocument.Entity
    ) {
        let objects = carried.compactMap { carried in carried.values.objectValue.map { (carried.variation, $0) } }
        // A variation that carries the feature twice has its own finding.
        guard Set(objects.map(\.0)).count == carried.count else { return }
        var known: Set<PropertyKey> = []
        let names = objects.flatMap { $0.1.map(\.key) }.filter { known.insert($0).inserted }
        for (path, values) in objects {
            guard let name = names.first(where: { values[$0] == nil }) else { continue }
            add(
                .missingVariable, at: path + ".changes",
                "A variation of \(experience.name) carries \(feature.name) without the variable "
                    + "'\(name.name.excerpt())', which another one sets: its visitors get no value.",
                remedy: "Set it in all variations that carry the feature.")
        }
    }

    /// The paths at which experiences name an entity by a text instead of a list, or by its key instead of its id. Each
    /// has its own finding.
    private var misnamedAttachments: [PropertyKey: [String]] {
        var result: [PropertyKey: [String]] = [:]
        for experience in document[.experiences] {
            for member in ["audiences", "locations", "goals"] {
                let path = "\(experience.path).\(member)"
                switch experience.members[member] {
                case .array(let elements)?:
                    for (index, element) in elements.enumerated() {
                        // Services that list objects have the id inside them.
                        let name = element.objectValue?["id"] ?? element.objectValue?["key"] ?? element
                        result[PropertyKey(ECMAScript.toString(name)), default: []].append("\(path)[\(index)]")
                    }
                case .object?, .null?, nil: break
                case let value?:
                    for name in ECMAScript.toString(value).split(whereSeparator: { ",;| ".contains($0) }) {
                        result[PropertyKey(String(name)), default: []].append(path)
                    }
                }
            }
        }
        return result
    }

    /// Checks for audiences, segments, locations and goals that no experience names.
    mutating func checkUses() {
        var used: [ConfigDocument.List: Set<PropertyKey>] = [:]
        var lacksGoals = false
        for experience in document[.experiences] {
            for (_, id) in experience.references("audiences") {
                used[.audiences, default: []].insert(id.key)
            }
            for (_, id) in experience.references("locations") { used[.locations, default: []].insert(id.key) }
            let goals = experience.references("goals")
            for (_, id) in goals { used[.goals, default: []].insert(id.key) }
            if goals.isEmpty, !document.isArchived(experience) { lacksGoals = true }
        }
        used[.segments] = used[.audiences]
        let misnamed = misnamedAttachments
        for list in [ConfigDocument.List.audiences, .locations, .segments, .goals] {
            // An experience without goals has its own finding, or is a rollout that any goal may measure.
            if list == .goals, lacksGoals { continue }
            for entity in document[list] {
                guard let id = entity.id, !(used[list]?.contains(id.key) ?? false) else { continue }
                let names = [id.key] + (entity.key.map { [PropertyKey($0)] } ?? [])
                add(
                    .unattached, at: entity.path,
                    "No experience names \(entity.name): it \(list == .goals ? "measures" : "decides") nothing.",
                    remedy: "Attach it by its id, '\(id.text.excerpt())', or remove it.",
                    under: names.flatMap { misnamed[$0] ?? [] })
            }
        }
    }
}
