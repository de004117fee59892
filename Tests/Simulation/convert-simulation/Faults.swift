/// The faults that can be planted into the product, see `PlantedFault`.
enum Faults {
    /// The names, and what each fault does.
    static let all: KeyValuePairs<String, String> = [
        // Delivery
        "retry-dropped": "a request that failed is not queued again",
        "outage-loses-events": "refused credentials give up events instead of keeping them",
        "timeout-counts-as-delivery": "a request that the endpoint gave up on (408) counts as delivered",
        "delivery-doubled": "delivered events are queued once more",
        "refused-body-loses-all": "one refused event takes along those that travel with it",
        "stop-drops-request": "the end forgets the request that is under way",
        "flush-waits-for-pause": "a flush waits for a pause that the endpoint asked for",
        "sending-forgets-ledger": "the ledger forgets events when they are sent, not when they arrived",
        "flush-before-delivery": "a flush does not wait until the delivery has what was just stored",
        "flush-counts-restored-events": "events that an earlier process left end a flush of later ones",
        "flush-skips-what-is-deferred": "a flush does not wait for conversions that wait for a record",
        "flush-ignores-retry-after": "a flush sends before the time that Retry-After names",
        "retry-after-ignored": "the SDK's own pauses count, Retry-After does not",
        "queue-unbounded": "the queue has no limit",
        "overflow-not-counted": "events that find no room are in no account",
        "timer-not-cleared": "a timer that rang still counts as set, so none is set again",
        "shutdown-without-deadline": "a shutdown waits for a last request however long it takes",
        // The ledger's writer
        "unreported-event-sent": "events of what was counted before are sent all the same",
        "failed-group-counts-as-stored": "the queue forgets a group although its commit failed",
        "ids-given-anew-at-a-retry": "events get other ids when they are offered again",
        "removal-forgotten": "a removal that failed is not tried again",
        "removal-wakes-nothing": "events are removed only when there is something to store as well",
        "released-event-stays-in-ledger": "what went out from memory is not removed from the ledger",
        "released-event-stored-too": "what went out from memory is stored and sent again",
        "no-patience": "events go out without the ledger after its first failure",
        "ended-owner-kept": "after its lease a server goes on as the owner that it was",
        "waiters-woken-early": "waiters for an entry continue at the first commit",
        "queued-counts-as-stored": "persisted() does not wait",
        "persisted-skips-what-is-deferred": "persisted() does not wait for conversions that wait for a record",
        "goal-counts-again": "a goal that is stored counts again",
        "own-event-not-recognized": "a commit that is repeated takes its own entries for others'",
        "stored-decision-loses": "a later decision takes the place of the stored one",
        "ownership-not-asked": "a server sends events that another one took over",
        "read-before-outcome": "an event is read before its commit is answered, and counts twice",
        "stored-during-read-not-counted": "an event that is stored during a read counts as lost",
        "newer-event-overtakes": "events overtake those that wait in the ledger",
        // Visitors
        "claim-not-checked": "of two requests at once both count a goal",
        "outcome-not-taken": "the record that a commit answers is not looked at",
        "revision-not-bumped": "contexts do not see what the ledger says",
        "queued-changes-forgotten": "a record that arrives hides what was done meanwhile",
        "old-load-taken": "a read counts although something was stored since",
        "stored-changes-stay-queued": "stored changes count as waiting for ever",
        "shared-record-not-read-again": "what other servers store is never seen",
        "deferred-conversion-lost": "a conversion that waits for a record never counts",
        // Waiting, config, decision log
        "latch-does-not-look-again": "what waits for a latch that opened meanwhile waits for ever",
        "flight-not-ended": "calls for a config get the result of the first fetch for ever",
        "refresh-ends-after-failure": "a fetch that fails is the last one",
        "log-line-lost": "now and then a line of the decision log is dropped",
        // The file
        "sync-dropped": "a ledger that survives power failures does not wait for the disk",
        "owner-not-stored": "an owner's number is given again after a restart",
        // The mobile rules' history
        "message-shown-again": "the history takes a message that was shown for a new one",
        "waiting-record-counts-as-written": "a message is shown although its record waits for the disk",
        "waiting-record-not-counted": "look-ups do not see records that wait for the disk",
    ]

    static var names: [String] { all.map(\.key) }
}
