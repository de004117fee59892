import ConvertLedgers
import ConvertMonitoring
package import ConvertSwiftSDKCore

/// Calls of a context that only remote evaluation uses.
extension ConvertContext {
    /// A feature, and the decision that enables it.
    package struct FeatureAnswer: Sendable {
        /// The feature in every experience that carries it for the visitor, as
        /// ``allFeatures(_:options:experienceKeys:castsTypes:)`` finds it.
        package let found: FeatureDecision
        /// The decision for the experience that carries the first feature, as it was before this call stored it; `nil`
        /// if no experience carries the feature for the visitor.
        package let decision: Decision?
    }

    /// Identifies the config that the context decides on; `nil` before there is a config.
    package var configIdentity: ConfigIdentity? {
        withVisitor { _, snapshot, _ in ConfigIdentity(snapshot) }
    }

    /// Passes the compiled config to `body`, which must be short and must not use the context; returns `nil` before
    /// there is a config.
    package func withProject<Result: Sendable>(_ body: (Project) -> Result) -> Result? {
        withVisitor { _, snapshot, _ in body(snapshot.project) }
    }

    /// Decides all experiences like ``decideAll(options:)``.
    ///
    /// - Returns: the decisions by their experiences' indexes in the config. `nil` follows malformed rules that end the
    ///   call.
    package func decisionsByPlace(options: DecisionOptions) -> [Decision?] {
        let decisions = decideAll(options: options)
        return withVisitor { _, snapshot, visitor in snapshot.experiences.byPlace(decisions, for: visitor) } ?? []
    }

    /// Finds a feature like ``allFeatures(_:options:experienceKeys:castsTypes:)``, and the decision that enables it.
    package func featureAnswer(_ key: String, options: DecisionOptions) -> FeatureAnswer {
        let before = withVisitor { _, _, visitor in visitor.state }
        let found = allFeatures(key, options: options)
        guard let before, let id = found.features.first?.experienceID else {
            return FeatureAnswer(found: found, decision: nil)
        }
        var silent = completed(options)
        silent.isTrackingEnabled = false
        silent.isStorageEnabled = false
        silent.suppressesEvents = true
        let decision = withVisitor { [silent] _, snapshot, visitor in
            var earlier = visitor.copy()
            earlier.replaceState(before, in: snapshot.project)
            return snapshot.experiences.selectVariation(id: id, for: &earlier, options: silent).value
        }
        return FeatureAnswer(found: found, decision: decision)
    }
}

/// Identifies a config of an SDK.
package struct ConfigIdentity: Sendable, Hashable {
    /// Differs between any two compiled configs of a process.
    package let number: UInt64
    /// The revision of the bytes that the config was read from; `nil` if the app passed the config as a value.
    package let revision: String?

    init(_ snapshot: ConfigSnapshot) {
        number = snapshot.project.serial
        revision = snapshot.revision?.description
    }
}

extension ConvertSDK {
    /// Identifies the config of contexts that are created now; `nil` before there is a config.
    package var configIdentity: ConfigIdentity? { bases.current.snapshot.map(ConfigIdentity.init) }

    /// Calls `body` after every change of the config, including the first, and `end` when the SDK is shut down.
    ///
    /// Both are called on the thread that makes the change, and must be short.
    package func onConfigChange(
        _ body: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) -> ConvertSDK.Subscription {
        engine.hub.subscribe(
            { event in
                switch event {
                case .ready, .configUpdated: body()
                default: break
                }
            }, onEnd: end)
    }

    /// Whether visitors' records are loaded from a store, so that callers should wait for them.
    package var loadsVisitors: Bool { engine.configuration.ledger != nil }

    /// Whether the ledger accepts entries; `true` without a ledger.
    package var isLedgerAvailable: Bool { engine.writer?.status.isAvailable ?? true }

    /// Whether other servers use the ledger too, so that a decision of theirs can be stored before one of this process.
    package var sharesLedger: Bool { engine.configuration.ledger?.isShared ?? false }
}
