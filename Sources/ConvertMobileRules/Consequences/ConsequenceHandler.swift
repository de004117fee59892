internal import ConvertECMAScript
public import Foundation

/// What carries out consequences of one type that the engine does not carry out itself: `iam`, `pb`, `pii`, `url`, `an`, or
/// any other. Also called for `csp` and `schema` after the engine did its part.
///
/// Called once per consequence, in order, on the thread that put the event to the engine and after the engine has finished
/// with the event. Should return soon; what takes long belongs into a task of its own. May call the engine.
public protocol ConsequenceHandler: Sendable {
    /// Carries out `consequence`.
    func handle(_ consequence: TriggeredConsequence)
}

/// A consequence that a handler gets, with what it needs.
public struct TriggeredConsequence: Sendable {
    /// The consequence, its tokens replaced.
    public let consequence: Consequence
    /// The event that triggered it, its data as changed by the consequences before.
    public let event: MobileEvent
    /// The archive's entries that the detail names, by the name used there, such as an in-app message's HTML.
    public let assets: [String: Data]
    /// The detail's `templateurl`, if there are tokens in it.
    let address: ExpandedText?

    /// The event by which the consequence is made known to other modules.
    ///
    /// It counts as made by a consequence, like an event of `dispatch`: put to the engine, it does not dispatch again.
    /// Its own consequences reach their handlers; the consequences of their response events are not, so a rule that matches
    /// what it causes ends there, with a warning.
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

/// A handler made of a closure.
public struct ConsequenceClosure: ConsequenceHandler {
    private let body: @Sendable (TriggeredConsequence) -> Void

    /// Calls `body` with each consequence.
    public init(_ body: @escaping @Sendable (TriggeredConsequence) -> Void) { self.body = body }

    /// Calls the closure.
    public func handle(_ consequence: TriggeredConsequence) { body(consequence) }
}
