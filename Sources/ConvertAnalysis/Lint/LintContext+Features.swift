internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for features that no variation carries, and variables that cannot be cast.
extension LintContext {
    mutating func checkFeatures() {
        // If several declarations have one id, the last one counts.
        let declarations = Dictionary(
            document[.features].compactMap { feature in feature.id.map { ($0.key, feature) } },
            uniquingKeysWith: { $1 })
        var carried: Set<PropertyKey> = []
        for experience in document[.experiences] {
            let isArchived = document.isArchived(experience)
            for variation in experience.variations {
                var known: Set<PropertyKey> = []
                for change in variation.parts("changes") {
                    guard let data = change.carried, let id = data.carriedFeatureID else { continue }
                    if variation.isRunning, !isArchived { carried.insert(id.key) }
                    if !known.insert(id.key).inserted {
                        let name = declarations[id.key]?.name ?? "feature '\(id.text.excerpt())'"
                        add(
                            .featureCarriedTwice, at: change.path,
                            "The variation carries \(name) a second time: a call for the feature has two answers.",
                            remedy: "Keep one of the changes, with all variables.")
                    }
                    guard let feature = declarations[id.key] else { continue }
                    checkVariables(
                        data["variables_data"], of: feature, at: change.path + ".data.variables_data")
                }
            }
        }
        for feature in document[.features] {
            checkRepeatedVariables(of: feature)
            guard let id = feature.id, !carried.contains(id.key) else { continue }
            add(
                .featureUnused, at: feature.path,
                "No running experience carries \(feature.name): it is off for everybody.",
                remedy: "Carry it in a variation of a running experience, or remove it.")
        }
    }

    /// Checks for members that occur twice in one object.
    mutating func checkRepeated(_ members: [(path: String, name: String)]) {
        for (path, name) in members {
            add(
                .readOtherwise, at: path,
                "The member '\(name.excerpt())' stands twice in one object, and only the last one counts.",
                remedy: "Remove one of them.")
        }
    }

    /// Checks for variables that a feature declares twice.
    private mutating func checkRepeatedVariables(of feature: ConfigDocument.Entity) {
        var known: Set<PropertyKey> = []
        for variable in feature.parts("variables") {
            guard let key = variable.members["key"]?.stringValue, !known.insert(PropertyKey(key)).inserted else {
                continue
            }
            add(
                .duplicateKey, at: variable.path + ".key",
                "\(feature.name) declares the variable '\(key.excerpt())' a second time: only the first type counts.",
                remedy: "Remove one of the declarations.")
        }
    }

    private mutating func checkVariables(_ data: JSValue?, of feature: ConfigDocument.Entity, at path: String) {
        guard let data, !data.isNull else { return }
        guard let values = data.objectValue else {
            return add(
                .variableCast, at: path, "The variables of \(feature.name) are not an object, so it has none.",
                remedy: "Write an object from variable to value.")
        }
        var types: [PropertyKey: String] = [:]
        for variable in feature.parts("variables").reversed().map(\.members) {
            if let key = variable["key"]?.stringValue { types[PropertyKey(key)] = variable["type"]?.stringValue ?? "" }
        }
        let names = types.keys.map(\.name).sorted()
        let isList = feature.members["variables"]?.arrayValue != nil
        for member in values {
            let place = path + "." + member.key.name.excerpt()
            guard let type = types[member.key] else {
                let nearest = nearest(to: member.key.name, among: names, isOfNumbers: true)
                add(
                    .unreadMember, .warning, at: place,
                    "\(feature.name) declares no variable '\(member.key.name.excerpt())'; its value stays as it is.",
                    remedy: nearest.hint + "Declare it, or remove the value.",
                    under: isList ? [] : [feature.path + ".variables"])
                continue
            }
            if let problem = Self.castProblem(of: member.value, as: type) {
                add(
                    .variableCast, at: place,
                    "The value of variable '\(member.key.name.excerpt())' of \(feature.name) is not of the type "
                        + "\(type): \(problem).",
                    remedy: "Write a value of the type \(type).")
            }
        }
    }

    /// The effect of a value that is not of type `type`; `nil` if it is of that type.
    private static func castProblem(of value: JSValue, as type: String) -> String? {
        switch type {
        case "boolean":
            if value.boolValue != nil || value == "true" || value == "false" { return nil }
            return "it is taken for \(value.isTruthy)"
        case "integer", "float":
            let text = ECMAScript.toString(value)
            guard let number = value.numberValue ?? (value.stringValue == nil ? nil : ECMAScript.stringToNumber(text))
            else { return "it becomes NaN or a number that is not written there" }
            let result = type == "float" ? ECMAScript.parseFloat(text) : ECMAScript.parseInt(text)
            let digits = value.stringValue ?? ECMAScript.jsonText(keepingNumbersOf: value)
            if type == "integer", abs(result) > 9_007_199_254_740_991, digits != ECMAScript.toString(result) {
                return
                    "numbers beyond 9007199254740991 are rounded, so that it is read as \(ECMAScript.toString(result))"
            }
            if !text.isEmpty, result == number { return nil }
            return result == number.rounded(.towardZero)
                ? "its fraction is cut off" : "it is read as \(ECMAScript.toString(result))"
        case "string":
            if case .illFormedString = value { return nil }
            return value.stringValue == nil ? "it is turned into text" : nil
        case "json":
            guard case .string(let text) = value else { return nil }
            return (try? ECMAScript.parseJSON(text)) == nil ? "it is not JSON, and stays text" : nil
        default:
            return nil
        }
    }
}
