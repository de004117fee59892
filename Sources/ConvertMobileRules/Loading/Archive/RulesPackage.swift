public import Foundation

/// Rules with their assets.
public struct RulesPackage: Sendable {
    /// The rules.
    public let document: RulesDocument
    /// The assets of the rules' consequences.
    public let assets: RulesAssets

    private static let rulesPath = "rules.json"

    /// Reads a `rules.json`, or a ZIP archive that contains one at its top level. The first bytes determine which.
    ///
    /// - Throws: ``MobileRulesError`` if the data is neither, damaged or too large.
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
