internal import ConvertValues
internal import Foundation

/// What a mobile rules engine is made of. Everything has a default that works in a process of its own.
public struct MobileRulesConfiguration: Sendable {
    /// What follows from conditions that cannot be understood.
    public var semantics: MobileRulesSemantics = .standard
    /// What rules read as `~sdkver`.
    public var sdkVersion = PackageVersion.current
    /// Where shared states come from; none by default.
    public var sharedStates: any SharedStateProvider = FixedSharedStates()
    /// Where events are remembered; in memory by default.
    public var history: any EventHistory = InMemoryEventHistory()
    /// What `csp` consequences write.
    public var profile = ClientSideProfile()
    /// What carries out consequences, by type.
    public var handlers: [String: any ConsequenceHandler] = [:]
    /// Follows what happens; `nil` for nobody.
    public var observer: (any MobileRulesObserver)?
    /// Asked to bring rules up to date before some of them run; `nil` runs them as they are.
    public var interceptor: (any RulesInterceptor)?
    /// Events kept for the first rules; of more the oldest are dropped, with a warning. Zero keeps none.
    public var maximumWaitingEvents = 1_000
    /// Bytes that the events kept for the first rules may hold together: of their names, texts and masks, and some 50
    /// for each value. Of more the oldest are dropped, and an event that is more by itself, with a warning.
    public var maximumWaitingBytes = 16 << 20

    /// The time, in milliseconds since 1970.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    /// The local time zone's offset from UTC in seconds, at a time in milliseconds since 1970.
    ///
    /// By default the system's: of `TZ`, in any form that the system understands (`Europe/Berlin`, `:Europe/Berlin`,
    /// `CET-1CEST,M3.5.0,M10.5.0/3`), else of the machine. `TZ` is read when the first offset is asked for.
    public var secondsFromGMT: @Sendable (Int64) -> Int = { LocalTimeZone.secondsFromGMT(at: $0) }
    /// A random number of 1 … 99999999.
    public var random: @Sendable () -> Int = { Int.random(in: 1...99_999_999) }

    /// The defaults.
    public init() {}
}

/// Follows what a mobile rules engine does.
///
/// Called on the thread that put the event, after the engine has finished with it. Must be safe to call from any thread.
public protocol MobileRulesObserver: Sendable {
    /// Whether ``didEvaluate(_:)`` is wanted. Explaining every rule costs far more than evaluating them.
    var wantsExplanations: Bool { get }

    /// Which conditions held for an event, if ``wantsExplanations``.
    func didEvaluate(_ explanation: RulesExplanation)

    /// What became of an event that had waited for the first rules.
    func didReplay(_ result: MobileRulesResult)

    /// What became of an event that was put to the rules again after an interceptor had brought them up to date.
    ///
    /// Events that it dispatches then follow in calls of their own if ``MobileRulesEngine/processAll(_:)`` was given the
    /// event; otherwise putting ``MobileRulesResult/dispatched`` to the engine is left to the app.
    func didReevaluate(_ result: MobileRulesResult)

    /// Something was left out or did not work, or a store of `ConvertSQLiteStores` or `ConvertPostgresStores` that the engine uses
    /// has a diagnostic and no handler of its own.
    ///
    /// A warning may quote the rules. It holds nothing of what an event's data, a shared state or the profile say.
    ///
    /// Of events, the same is reported once, until the rules are replaced or added to: at most
    /// ``MobileRulesLimits/warnings`` and one that says so. ``MobileRulesResult/warnings`` has them all.
    func didWarn(_ warning: MobileRulesWarning)
}

extension MobileRulesObserver {
    /// No explanations.
    public var wantsExplanations: Bool { false }

    /// Does nothing.
    public func didEvaluate(_ explanation: RulesExplanation) {}

    /// Does nothing.
    public func didReplay(_ result: MobileRulesResult) {}

    /// Does nothing.
    public func didReevaluate(_ result: MobileRulesResult) {}
}

/// Brings rules up to date before the rules run that ask for it.
///
/// When an event matches a rule with a `schema` consequence and `"reEvaluate": true` in its `meta`, all matching rules with
/// a `schema` consequence wait, as do rules that share a consequence id with one of them. The others run first. Must be safe
/// to call from any thread.
public protocol RulesInterceptor: Sendable {
    /// Brings the rules up to date, for instance by replacing the engine's rules, and then calls `completion`.
    ///
    /// After `completion(true)` conditions and tokens read the event as it came in. Its consequences go on from the processed
    /// event: an `add` or `mod` changes it further, a `dispatch` copies it, and handlers receive it.
    ///
    /// - Parameters:
    ///   - event: the processed event: with its data as the `add` and `mod` consequences of the other rules changed it.
    ///   - rules: the matching rules that ask for it, in order: those with a `schema` consequence and `reEvaluate`.
    ///   - completion: call it with `true` to put the event to the rules again; a rule that shares a consequence id with a
    ///     rule that already ran is left out. Call it with `false` to drop the waiting rules. Only the first call counts. It
    ///     may come from any thread.
    func reevaluate(
        _ event: MobileEvent, rules: [MobileRule], completion: @escaping @Sendable (Bool) -> Void)
}
