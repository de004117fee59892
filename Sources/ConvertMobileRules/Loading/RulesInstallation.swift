internal import ConvertConcurrency
internal import Foundation

/// Puts the rules of one loader into its engine.
final class RulesInstallation: Sendable {
    private let engine: MobileRulesEngine
    private let wasUsed = Mutex(false)

    init(engine: MobileRulesEngine) { self.engine = engine }

    /// Whether rules of the loader are in the engine.
    var hasInstalled: Bool { wasUsed.withLock { $0 } }

    /// Replaces the engine's rules by those in `data`, a `rules.json` or an archive.
    func install(_ data: Data) throws(MobileRulesError) {
        let package = try RulesPackage(data)
        engine.replaceRules(with: package.document, assets: package.assets)
        wasUsed.withLock { $0 = true }
    }

    /// Warns of what did not work and took nothing down.
    func warn(_ error: MobileRulesError, _ consequence: String) {
        engine.warn([MobileRulesWarning(at: error.place, "\(consequence): \(error.message)")])
    }
}
