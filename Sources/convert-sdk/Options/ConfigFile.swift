import ConvertAnalysis
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// A config with the bytes that it was read from.
struct ConfigFile {
    let json: Data
    let config: ProjectConfig
    /// All that was written in it, if that was asked for.
    let document: ProjectConfig.Document?

    init(_ json: Data, withDocument: Bool = false) throws(ConfigError) {
        self.json = json
        document = withDocument ? try ProjectConfig.Document(json: json) : nil
        config = if let document { document.config } else { try ProjectConfig(json: json) }
    }

    /// What a decision log names the config by.
    var digest: String { ConfigRevision(of: json).description }

    /// The config that decides the lines of a decision log which name it. What is wrong with it is complained about, a
    /// line each.
    func candidate() -> DecisionReplay.Candidate {
        Console.complain(of: config.diagnostics)
        return DecisionReplay.Candidate(config, digest: digest)
    }
}
