internal import ConvertECMAScript
public import Foundation

/// Performs consequences of one type that the engine does not perform itself: `iam`, `pb`, `pii`, `url`, `an`, or any
/// other. The engine also calls handlers for `csp` and `schema`, after its own action.
///
/// The engine calls a handler once per consequence, in order, on the thread that passed the event, after it has
/// finished with the event. A handler should return quickly; start a task for long work. A handler may call the engine.
public protocol ConsequenceHandler: Sendable {
    /// Performs `consequence`.
    func handle(_ consequence: TriggeredConsequence)
}

/// A consequence for a handler, with the data to perform it.
public struct TriggeredConsequence: Sendable {
    /// The consequence, with its tokens replaced by values.
    public let consequence: Consequence
    /// The event that triggered the consequence, with the changes by earlier consequences.
    public let event: MobileEvent
    /// The archive's entries that the detail names, such as an in-app message's HTML, by the names in the detail.
    public let assets: [String: Data]
    /// The detail's `templateurl`, if it contains tokens.
    let address: ExpandedText?

    /// An event that announces the consequence to other modules.
    ///
    /// Like an event of `dispatch`, it counts as created by a consequence: when the engine processes it, it dispatches
    /// no further events. Its consequences reach their handlers, but the consequences of their response events do not.
    /// A rule that triggers itself therefore stops, with a warning.
    public var responseEvent: MobileEvent {
        MobileEvent(
            type: "com.adobe.eventType.rulesEngine", source: "com.adobe.eventSource.responseContent",
            data: [
                "triggeredconsequence": [
                    "id": .string(consequence.id), "type": .string(consequence.type),
                    "detail": .object(consequence.detail),
                ]
            ], generation: event.generation + 1)
    }
}

/// A handler that calls a closure.
public struct ConsequenceClosure: ConsequenceHandler {
    private let body: @Sendable (TriggeredConsequence) -> Void

    /// Creates a handler that calls `body` with each consequence.
    public init(_ body: @escaping @Sendable (TriggeredConsequence) -> Void) { self.body = body }

    /// Calls the closure.
    public func handle(_ consequence: TriggeredConsequence) { body(consequence) }
}
