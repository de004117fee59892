import ConvertAnalysis
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertValues
import Foundation

extension PageProvenance {
    /// Creates the provenance of a page that this tool makes now. Without an environment or semantics, the page is
    /// about a log.
    init(configs: [String], project: ProjectConfig.Project?, environment: String?, semantics: RuleSemantics?) {
        self.init()
        self.configs = configs
        self.project = project.map { $0.name ?? $0.id.text }
        self.environment = environment
        self.semantics = semantics
        isOfLog = environment == nil || semantics == nil
        date = Date.now.formatted(.iso8601)
        tool = "convert-sdk \(PackageVersion.current)"
    }
}
