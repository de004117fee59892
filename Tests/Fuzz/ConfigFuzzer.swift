import ConvertSwiftSDKCore
import ConvertSwiftSDK
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
        precondition(decisions(config, semantics) == decisions(same, semantics), "the decisions differ")
    }
    return 0
}

private func decisions(_ config: ProjectConfig, _ semantics: RuleSemantics) -> [String?] {
    var configuration = SDKConfiguration()
    configuration.environment = "production"
    configuration.semantics = semantics
    configuration.isTrackingEnabled = false
    configuration.logLevel = .silent
    let context = ConvertSDK(config: config, configuration: configuration).createContext(
        visitorID: "visitor", attributes: ["plan": "pro", "visits": 12, "a": "yes", "b": true],
        locationProperties: ["path": "/checkout", "a": 1])
    return context.decideAll().map { decision in
        decision.variation?.variationID ?? decision.reason?.rawValue
    }
}
