import ConvertMonitoring
import ConvertSwiftSDK

/// Where the events are, at every moment.
enum Accounts {
    /// *Accepted and restored events are delivered, queued or rejected.* Example: of 10 accepted events 4 were
    /// delivered, 5 wait, and 1 was refused.
    ///
    /// *Memory is bounded.* Example: with a queue for 20 events and no ledger, at most 20 wait.
    static func check(_ counts: DeliveryCounts, of plan: Plan, _ moment: String) {
        let entered = counts.accepted + counts.restored
        if entered != counts.delivered + counts.queued + counts.rejectedTotal {
            World.current.fail("the accounts do not balance \(moment): \(counts)")
        }
        if plan.durability == .memory, counts.queued > plan.queueCapacity {
            World.current.fail("\(counts.queued) events wait \(moment), but there is room for \(plan.queueCapacity)")
        }
        let isSpurious = counts.rejected.keys.contains { reason in
            switch reason {
            case .overflow: plan.queueCapacity == 10_000
            case .refused, .shutDown: false
            case .countedElsewhere: !plan.durability.isDurable
            case .takenOver: plan.durability != .shared
            default: true
            }
        }
        if isSpurious { World.current.fail("events were given up for no reason \(moment): \(counts)") }
    }
}
