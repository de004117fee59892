import ConvertAnalysis
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertValues
import Foundation

extension PageProvenance {
    /// The provenance of a page that this tool makes now.
    init(configs: [String], project: ProjectConfig.Project?, environment: String? = nil, semantics: RuleSemantics?) {
        self.init()
        self.configs = configs
        self.project = project.map { $0.name ?? $0.id.text }
        self.environment = environment
        self.semantics = semantics
        date = Date.now.formatted(.iso8601)
        tool = "convert-sdk \(PackageVersion.current)"
    }
}
