public import Foundation

/// Rules with the assets that came with them.
public struct RulesPackage: Sendable {
    /// The rules.
    public let document: RulesDocument
    /// What their consequences show.
    public let assets: RulesAssets

    private static let rulesPath = "rules.json"

    /// Reads a `rules.json`, or a ZIP archive that holds one at its top, recognized by its first bytes.
    ///
    /// - Throws: ``MobileRulesError`` if it is neither, or damaged, or too large.
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
