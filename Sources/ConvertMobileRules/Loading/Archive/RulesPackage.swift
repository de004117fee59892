public import Foundation

/// Rules with their assets.
public struct RulesPackage: Sendable {
    /// The rules.
    public let document: RulesDocument
    /// The assets of the rules' consequences.
    public let assets: RulesAssets

    private static let rulesPath = "rules.json"

    /// Reads a `rules.json`, or a ZIP archive that contains a `rules.json` at its top level. The first bytes determine
    /// the format. Takes time linear to the uncompressed data.
    ///
    /// - Throws: ``MobileRulesError`` if the data has neither format, is damaged or is too large.
    public init(_ data: Data) throws(MobileRulesError) {
        guard data.starts(with: [0x50, 0x4b]) else {
            document = try RulesDocument(json: data)
            assets = .none
            return
        }
        var files = try ZIPArchive(data).files
        guard let rules = files.removeValue(forKey: Self.rulesPath) else {
            let contents = ArchiveContents(paths: Array(files.keys), wanted: Self.rulesPath)
            throw MobileRulesError(
                .noRules, at: "archive", "it holds \(contents); \(Self.rulesPath) must be at its top.")
        }
        document = try RulesDocument(json: rules)
        assets = RulesAssets(files)
    }
}
