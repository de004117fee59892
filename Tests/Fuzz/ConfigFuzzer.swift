import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// libFuzzer's entry: a project config. See `Tests/README.md` for the command.
///
/// Whatever arrives, nothing may trap or hang, and what is read twice must decide alike.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfig(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Data(bytes: bytes, count: count)
    guard let config = try? ProjectConfig(json: input), let same = try? ProjectConfig(json: input) else { return 0 }
    precondition(config.diagnostics == same.diagnostics, "the diagnostics differ")
    for semantics in RuleSemantics.allCases {
        let options = CompilationOptions(semantics: semantics)
        precondition(
            decisions(CompiledProject(config, options: options)) == decisions(CompiledProject(same, options: options)),
            "the decisions differ")
    }
    return 0
}

private func decisions(_ project: CompiledProject) -> [String?] {
    let manager = ExperienceManager(project: project, environment: "production")
    var options = DecisionOptions()
    options.locationProperties = ["path": "/checkout", "a": 1]
    return project.config.experiences.map { experience in
        var visitor = manager.visitor(id: "visitor", attributes: ["plan": "pro", "visits": 12, "a": "yes", "b": true])
        let decision = manager.selectVariation(experience.key, for: &visitor, options: options)
        return decision.variation?.variationID ?? decision.reason.map { "\($0)" }
    }
}
