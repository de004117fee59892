import ConvertAnalysis
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// A config with the bytes from which it was read.
struct ConfigFile {
    let json: Data
    let config: ProjectConfig
    /// The config's original JSON; `nil` unless it was requested.
    let document: ProjectConfig.Document?

    init(_ json: Data, withDocument: Bool = false) throws(ConfigError) {
        self.json = json
        document = withDocument ? try ProjectConfig.Document(json: json) : nil
        config = if let document { document.config } else { try ProjectConfig(json: json) }
    }

    /// The digest that identifies the config in a decision log.
    var revision: String { ConfigRevision(of: json).description }

    /// The config that decides the lines of a decision log which name it. Prints each of its problems as a line to
    /// standard error.
    func candidate() -> DecisionReplay.Candidate {
        Console.complain(of: config.diagnostics)
        return DecisionReplay.Candidate(config, revision: revision)
    }
}
