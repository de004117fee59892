package import ConvertECMAScript

extension LintFinding {
    /// The finding as `lint --json` prints it: an object with `code`, `severity`, `path`, `message`, `remedy`,
    /// `witness` (a visitor or `null`), `contrast` (a visitor with another answer, or `null`), `because` (the `code`
    /// and `path` of the cause, or `null`), `place`, `entity` (a text or `null`) and `undecided`.
    package var json: JSValue {
        [
            "code": .string(code.rawValue), "severity": .string(severity.rawValue), "path": .string(path),
            "place": .string(place), "entity": JSValue(entity),
            "message": .string(message), "remedy": .string(remedy), "witness": witness?.value ?? .null,
            "contrast": contrast?.value ?? .null,
            "because": because.map { ["code": .string($0.code.rawValue), "path": .string($0.path)] } ?? .null,
            "undecided": .bool(isUndecided),
        ]
    }
}

extension [LintFinding] {
    /// The findings as `lint --json` prints them: an object with the member `findings`.
    public var json: String { ECMAScript.jsonText(keepingNumbersOf: ["findings": .array(map(\.json))]) }
}

extension PopulationVisitor {
    /// The visitor as it appears in ``json``.
    var value: JSValue {
        guard let document = try? ECMAScript.parseJSON(json) else { return .null }
        return document.withRoot { $0.value }
    }
}
