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
        "sending-forgets-journal": "the journal forgets events when they are sent, not when they arrived",
        "flush-ignores-retry-after": "a flush sends before the time that Retry-After names",
        "retry-after-ignored": "the SDK's own pauses count, Retry-After does not",
        "queue-unbounded": "the queue has no limit",
        "overflow-not-counted": "events that find no room are in no account",
        "timer-not-cleared": "a timer that rang still counts as set, so none is set again",
        "shutdown-without-deadline": "a shutdown waits for a last request however long it takes",
        "sends-after-stop": "a request that was asked for before the end begins after it",
        // The journal
        "read-counted-twice": "an event that was read before it was accepted counts twice",
        "waiting-not-offered": "events that the journal did not take are not offered to it again",
        "tail-forgotten": "events that came while others were only in the journal never get their turn",
        "tail-not-offered": "such events are not offered to the journal once it may take them",
        "catching-up-not-rechecked": "an event that came while the journal caught up is left out",
        "append-failure-forgotten": "a failed append is not made good once the journal is well",
        "unjournaled-call-lost": "what the journal does not take is not kept in memory either",
        "removal-forgotten": "what the journal did not forget is never removed",
        "removal-not-retried": "a failed removal is tried again at the shutdown only",
        // Visitors
        "claim-not-checked": "of two requests at once both count a goal",
        "held-claim-not-checked": "the same, while the visitor's record is being loaded",
        "claim-forgotten-before-save": "the journal forgets a claim before the store has it",
        "save-error-swallowed": "a failed save counts as done",
        "newer-changes-lost": "a failed save takes the place of changes made meanwhile",
        "saves-not-retried": "after a store saved nobody it is not tried again",
        "claims-not-restored": "claims of an earlier process are not read",
        "goals-not-restored": "of those claims the goals are not read",
        "loads-before-claims": "visitors are loaded before those claims were read",
        "held-changes-dropped": "what a visitor did while the record was loaded is not saved",
        "deferred-conversion-lost": "a conversion that waits for a record never counts",
        "stored-decision-loses": "a later decision takes the place of the stored one",
        // Waiting, config, decision log
        "latch-does-not-look-again": "what waits for a latch that opened meanwhile waits for ever",
        "flight-not-ended": "who asks for a config gets the result of the first fetch for ever",
        "refresh-ends-after-failure": "a fetch that fails is the last one",
        "log-line-lost": "now and then a line of the decision log is dropped",
        // Files
        "sync-dropped": "the journal does not wait for the disk",
        "write-error-swallowed": "a failed write counts as done",
        "short-write-taken-for-whole": "a write that stopped in the middle counts as done",
        "checksum-not-compared": "half a step in the journal is read as a whole one",
        "rows-leave-before-they-are-moved": "rows leave a full file before the database has them",
        "ids-given-twice": "ids are not reserved, and given again after a restart",
        "save-replaces-record": "a save writes the changes only, without what was stored",
    ]

    static var names: [String] { all.map(\.key) }
}
