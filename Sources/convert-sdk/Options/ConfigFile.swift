import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// A config with the bytes that it was read from.
struct ConfigFile {
    let json: Data
    let config: ProjectConfig

    init(_ json: Data) throws(ConfigError) {
        self.json = json
        config = try ProjectConfig(json: json)
    }

    /// What a decision log names the config by.
    var digest: String { ConfigRevision(of: json).description }
}
