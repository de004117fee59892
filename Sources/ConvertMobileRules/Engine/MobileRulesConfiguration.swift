internal import ConvertValues
internal import Foundation

/// The configuration of a mobile rules engine. All defaults work within a single process.
public struct MobileRulesConfiguration: Sendable {
    /// The effect of unusable conditions.
    public var semantics: MobileRulesSemantics = .standard
    /// The value that rules read as `~sdkver`.
    public var sdkVersion = PackageVersion.current
    /// Provides shared states. By default there are no shared states.
    public var sharedStates: any SharedStateProvider = FixedSharedStates()
    /// Records events; in memory by default.
    public var history: any EventHistory = InMemoryEventHistory()
    /// The profile that `csp` consequences write.
    public var profile = ClientSideProfile()
    /// The handlers that perform consequences, by type.
    public var handlers: [String: any ConsequenceHandler] = [:]
    /// Receives results and warnings; `nil` means no observer.
    public var observer: (any MobileRulesObserver)?
    /// Updates rules before some of them run; `nil` runs them without an update.
    public var interceptor: (any RulesInterceptor)?
    /// The maximum number of events that wait for the first rules. Beyond it the oldest events are dropped, with a
    /// warning. With 0, no event waits.
    public var maximumWaitingEvents = 1_000
    /// The maximum size in bytes of the events that wait for the first rules. The size counts names, texts and masks,
    /// and about 50 bytes for each value. Beyond it the oldest events are dropped, with a warning. A single event that
    /// is larger is dropped too.
    public var maximumWaitingBytes = 16 << 20

    /// Returns the current time, in milliseconds since 1970.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    /// Returns the local time zone's offset from UTC in seconds, for a time in milliseconds since 1970.
    ///
    /// The default is the system's time zone: from `TZ` in any form that the system understands (`Europe/Berlin`,
    /// `:Europe/Berlin`, `CET-1CEST,M3.5.0,M10.5.0/3`), otherwise the machine's. `TZ` is read at the first call.
    public var secondsFromGMT: @Sendable (Int64) -> Int = { LocalTimeZone.secondsFromGMT(at: $0) }
    /// Returns a random number in 1 … 99999999.
    public var random: @Sendable () -> Int = { Int.random(in: 1...99_999_999) }

    /// Creates a default configuration.
    public init() {}
}

/// Observes a mobile rules engine.
///
/// The engine calls its observer on the thread that passed the event, after it has finished with the event. Calls may
/// come from several threads at once.
public protocol MobileRulesObserver: Sendable {
    /// Whether ``didEvaluate(_:)`` should be called. Explaining every rule takes far longer than evaluating them.
    var wantsExplanations: Bool { get }

    /// Receives the conditions that held for an event, if ``wantsExplanations`` is `true`.
    func didEvaluate(_ explanation: RulesExplanation)

    /// Receives the result of an event that had waited for the first rules.
    func didReplay(_ result: MobileRulesResult)

    /// Receives the result of an event that was evaluated again after an interceptor had updated the rules.
    ///
    /// If the event was passed to ``MobileRulesEngine/processAll(_:)``, the events that it dispatches follow in further
    /// calls. Otherwise the app may pass ``MobileRulesResult/dispatched`` to the engine.
    func didReevaluate(_ result: MobileRulesResult)

    /// Receives a warning: something was left out or failed, or a store of `ConvertSQLiteStores` or
    /// `ConvertPostgresStores` that the engine uses has a diagnostic and no handler of its own.
    ///
    /// A warning may quote the rules. It never quotes an event's data, a shared state or the profile.
    ///
    /// Each warning about events is reported once until the rules are replaced or extended. At most
    /// ``MobileRulesLimits/warnings`` are reported, followed by a warning about the limit.
    /// ``MobileRulesResult/warnings`` always contains all warnings.
    func didWarn(_ warning: MobileRulesWarning)
}

extension MobileRulesObserver {
    /// `false`: no explanations.
    public var wantsExplanations: Bool { false }

    /// Does nothing.
    public func didEvaluate(_ explanation: RulesExplanation) {}

    /// Does nothing.
    public func didReplay(_ result: MobileRulesResult) {}

    /// Does nothing.
    public func didReevaluate(_ result: MobileRulesResult) {}
}

/// Updates the rules before certain rules run.
///
/// When an event matches a rule with a `schema` consequence and `"reEvaluate": true` in its `meta`, all matching rules
/// with a `schema` consequence wait. Rules that share a consequence id with a waiting rule wait too. The other rules
/// run first. The methods must be safe to call from any thread.
public protocol RulesInterceptor: Sendable {
    /// Updates the rules, for instance by replacing the engine's rules, and then calls `completion`.
    ///
    /// After `completion(true)`, conditions and tokens read the event as it arrived. Consequences continue with the
    /// processed event: `add` and `mod` change it further, `dispatch` copies it, and handlers receive it.
    ///
    /// - Parameters:
    ///   - event: the processed event, with its data as changed by the `add` and `mod` consequences of the other rules.
    ///   - rules: the matching rules that requested the update, with a `schema` consequence and `reEvaluate`, in order.
    ///   - completion: call with `true` to evaluate the event again; a rule that shares a consequence id with a rule
    ///     that already ran is skipped. Call with `false` to drop the waiting rules. Only the first call counts. The
    ///     call may be made on any thread.
    func reevaluate(
        _ event: MobileEvent, rules: [MobileRule], completion: @escaping @Sendable (Bool) -> Void)
}
