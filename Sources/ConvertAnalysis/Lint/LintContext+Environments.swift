internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Environments that no call can name, or that the project does not have.
extension LintContext {
    mutating func checkEnvironments() {
        let declared = declaredEnvironments
        var names: [(name: String, path: String)] = []
        for experience in document[.experiences] {
            guard let environment = experience.members["environment"], environment.isTruthy else { continue }
            let path = experience.path + ".environment"
            guard let name = environment.stringValue else {
                add(
                    LintFinding(
                        .unknownEnvironment, at: path,
                        "The environment of \(experience.name) is no text: no call can name it, so nobody enters.",
                        remedy: "Write the environment's name, or remove it to run everywhere."))
                continue
            }
            names.append((name, path))
            if let declared, !declared.contains(where: { $0.hasSameCodeUnits(as: name) }) {
                let hint = declared.nearest(to: name).map { "Did you mean '\($0)'? " } ?? ""
                add(
                    LintFinding(
                        .unknownEnvironment, .warning, at: path,
                        "The project has no environment '\(name.excerpt())', in which \(experience.name) runs.",
                        remedy: hint + "Name one of \(declared.joined(separator: ", "))."))
            }
        }
        checkCase(of: names)
    }

    /// The environments that the project declares, as names or as members; `nil` if it declares none.
    private var declaredEnvironments: [String]? {
        switch document.root["project"]?.objectValue?["environments"] {
        case .array(let names): names.isEmpty ? nil : names.compactMap(\.stringValue)
        case .object(let members): members.isEmpty ? nil : members.map(\.key.name)
        default: nil
        }
    }
}
