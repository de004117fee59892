internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Findings about exceptions that leave out no finding.
struct UnusedExceptions {
    /// The maximum number of listed findings of a baseline.
    private static let mostListed = 3

    private let document: ConfigDocument

    init(_ document: ConfigDocument) { self.document = document }

    /// One finding for each unused exception, and one for all missing findings of baselines.
    func findings(about exceptions: LintExceptions) -> [LintFinding] {
        var findings = exceptions.unused.map(finding)
        let missing = exceptions.missing
        if !missing.isEmpty {
            let listed = missing.prefix(Self.mostListed).map { "'\($0.excerpt(100))'" }.joined(separator: ", ")
            let rest = missing.count > Self.mostListed ? " and \(missing.count - Self.mostListed) more" : ""
            findings.append(
                LintFinding(
                    .unusedException, at: "$",
                    "The baseline has \(missing.count.counted("finding")) that the config no longer has: "
                        + "\(listed)\(rest).",
                    remedy: "Write the baseline again with 'lint --json', so that such findings are new if they return."
                ))
        }
        return findings
    }

    private func finding(about exception: LintExceptions.Exception) -> LintFinding {
        let code = exception.code.rawValue
        guard let place = exception.place else {
            return LintFinding(
                .unusedException, at: "$",
                "The exception for '\(code)' leaves out nothing: the config has no such finding.",
                remedy: "Remove the exception.")
        }
        let shown = "'\(place.excerpt(100))'"
        guard let found = document.place(at: place) else {
            let hint = nearest(to: place).map { "Did you mean \"\($0.excerpt(100))\"? " } ?? ""
            return LintFinding(
                .unusedException, at: "$",
                "The exception for '\(code)' leaves out nothing: the config has no place \(shown).",
                remedy: hint + "Correct the place, or remove the exception.")
        }
        var finding = LintFinding(
            .unusedException, at: found.path,
            "The exception for '\(code)' leaves out nothing: there is no such finding at or under \(shown).",
            remedy: "Remove the exception.")
        if let entity = found.entity {
            finding.entity = entity.name
            finding.subject = LintSubject(entity)
            finding.place = entity.placePath + found.path.dropFirst(entity.path.count)
        }
        return finding
    }

    /// The place with the most similar key in the same list; `nil` if no key is similar.
    private func nearest(to place: String) -> String? {
        for list in ConfigDocument.List.allCases {
            let start = "$.\(list.rawValue)['"
            guard place.hasPrefix(start) else { continue }
            let name = place.dropFirst(start.count).prefix { $0 != "'" }
            let names = document[list].compactMap { $0.key ?? $0.id?.text }.filter {
                !$0.hasSameCodeUnits(as: String(name))
            }
            guard names.count <= Self.mostCompared, let nearest = names.nearest(to: String(name)) else { return nil }
            return start + nearest + place.dropFirst(start.count + name.count)
        }
        return nil
    }

    /// The maximum number of keys to compare with an unknown one.
    private static let mostCompared = 5_000
}

extension ConfigDocument {
    /// The path that a path or a place leads to, and its entity; `nil` if the config has nothing there. A member may be
    /// missing, because findings are reported at missing members too.
    fileprivate func place(at text: String) -> (path: String, entity: Entity?)? {
        for list in List.allCases where text.utf8.starts(with: "$.\(list.rawValue)[".utf8) {
            for entity in self[list] {
                for start in [entity.placePath, entity.path] where text.isAt(orUnder: start) {
                    let rest = text.dropFirst(start.count)
                    if JSValue.object(entity.members).has(rest) { return (entity.path + rest, entity) }
                }
            }
            return nil
        }
        guard text.hasPrefix("$"), JSValue.object(root).has(text.dropFirst()) else { return nil }
        return (text, nil)
    }
}

extension JSValue {
    /// Whether a path such as `.rules.OR[0]` leads to a part of the value, or to a member that its object may have.
    fileprivate func has(_ path: Substring) -> Bool {
        var value: JSValue? = self
        var rest = path
        while let sign = rest.popFirst() {
            if sign == "[" {
                let digits = rest.prefix { $0 != "]" }
                rest = rest.dropFirst(digits.count + 1)
                guard let list = value?.arrayValue, let index = Int(digits), list.indices.contains(index) else {
                    return false
                }
                value = list[index]
            } else {
                guard sign == ".", let members = value?.objectValue else { return false }
                let name = rest.prefix { $0 != "." && $0 != "[" }
                if name.isEmpty { return false }
                rest = rest.dropFirst(name.count)
                value = members[String(name)]
            }
        }
        return true
    }
}
