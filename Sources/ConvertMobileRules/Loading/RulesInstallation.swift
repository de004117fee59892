internal import ConvertConcurrency
internal import Foundation

/// Installs the rules of one loader in its engine.
final class RulesInstallation: Sendable {
    private let engine: MobileRulesEngine
    private let wasUsed = Mutex(false)

    init(engine: MobileRulesEngine) { self.engine = engine }

    /// Whether the engine has rules from the loader.
    var hasInstalled: Bool { wasUsed.withLock { $0 } }

    /// Replaces the engine's rules with the rules in `data`, a `rules.json` or an archive.
    func install(_ data: Data) throws(MobileRulesError) {
        let package = try RulesPackage(data)
        engine.replaceRules(with: package.document, assets: package.assets)
        wasUsed.withLock { $0 = true }
    }

    /// Reports a failure as a warning: `consequence`, then the error's message.
    func warn(_ error: MobileRulesError, _ consequence: String) {
        engine.warn([MobileRulesWarning(at: error.place, "\(consequence): \(error.message)")])
    }
}
