internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Checks for environments that no call can name, or that the project does not have.
extension LintContext {
    mutating func checkEnvironments() {
        let declared = declaredEnvironments
        var names: [(name: String, path: String)] = []
        for experience in document[.experiences] {
            for (index, value) in (experience.members["environments"]?.arrayValue ?? []).enumerated() {
                guard let name = value.stringValue else { continue }
                let path = "\(experience.path).environments[\(index)]"
                names.append((name, path))
                checkDeclaration(
                    of: name, among: declared, .warning,
                    "\(experience.name) lists it; the list restricts no visitor", at: path)
            }
            guard let environment = experience.members["environment"], environment.isTruthy else {
                checkList(of: experience, among: declared)
                continue
            }
            let path = experience.path + ".environment"
            guard let name = environment.stringValue else {
                add(
                    .unknownEnvironment, at: path,
                    "The environment of \(experience.name) is not text: no call can name it, so no visitor enters.",
                    remedy: "Write the environment's name, or remove it to run everywhere.")
                continue
            }
            names.append((name, path))
            checkDeclaration(
                of: name, among: declared, .error,
                "\(experience.name) runs only there, so no visitor enters it", at: path)
        }
        checkCase(of: names)
    }

    /// Checks for a list of some environments where a single environment is expected.
    private mutating func checkList(of experience: ConfigDocument.Entity, among declared: [String]?) {
        let names = (experience.members["environments"]?.arrayValue ?? []).compactMap(\.stringValue)
        let others = (declared ?? []).filter { name in !names.contains { $0.hasSameCodeUnits(as: name) } }
        if names.isEmpty || others.isEmpty { return }
        let isDeclared = declared?.contains { $0.hasSameCodeUnits(as: names[0]) } ?? true
        let name = isDeclared ? names[0] : nearest(to: names[0], among: declared ?? [], isOfNumbers: true)
        addFrame(
            at: experience.path + ".environments",
            "The list of environments restricts no visitor: \(experience.name) runs in every environment, so also in "
                + "'\((others.first ?? "").excerpt())'.",
            names.count > 1
                ? "Write one experience for each of the environments, with the name as its environment."
                : name.map { "Write \"environment\": \(ECMAScript.jsonText(of: .string($0)).excerpt(200))." }
                    ?? "Write the name of one of the project's environments as environment.")
    }

    private mutating func checkDeclaration(
        of name: String, among declared: [String]?, _ severity: LintFinding.Severity, _ consequence: String,
        at path: String
    ) {
        guard let declared, !declared.contains(where: { $0.hasSameCodeUnits(as: name) }) else { return }
        let hint = nearest(to: name, among: declared, isOfNumbers: true).hint
        add(
            .unknownEnvironment, severity, at: path,
            "The project has no environment '\(name.excerpt())': \(consequence).",
            remedy: hint + "Name one of \(declared.map { $0.excerpt() }.listed).")
    }

    /// The environments that the project declares, as names or as members; `nil` if it declares no names.
    private var declaredEnvironments: [String]? {
        ProjectConfig.Project.environmentNames(in: document.root["project"]?.objectValue?["environments"])
            .flatMap { $0.isEmpty ? nil : $0 }
    }
}
