import ConvertECMAScript
import ConvertSwiftSDK
import ConvertTransport
import Foundation

/// What the servers promised, and what reached the endpoint, over all servers and restarts.
///
/// It speaks of visitors, goals and events, not of what stores them.
final class History: @unchecked Sendable {
    /// What an event reports.
    struct Report: Hashable, CustomStringConvertible {
        let visitor: String
        let what: String

        var description: String { "\(visitor): \(what)" }
    }

    /// An event that a call was promised.
    private struct Promise {
        let owner: Int
        let time: Int64
        /// Whether it may be lost with its process.
        var isAtRisk: Bool
    }

    /// Where an event has been.
    private struct Reception {
        /// How often a context decided without the visitor's record, as one that does not wait for it may.
        var decisions = 0
        /// How often a request with it arrived.
        var taken = 0
        /// How often its server knows that.
        var heard = 0
    }

    private var promises: [Report: Promise] = [:]
    private var order: [Report] = []
    private var receptions: [Report: Reception] = [:]
    /// Goals that counted, with the server for which they did.
    private var claims: [Report: (owner: Int, isAtRisk: Bool)] = [:]
    /// Variations that visitors have, with the server that said so.
    private var variations: [Report: (variation: String, owner: Int, isAtRisk: Bool)] = [:]
    /// Number of processes that ended without being asked.
    private var endCount = 0
    /// Number of events that were given up with a reason that the app can see.
    private var rejectedCount = 0

    // MARK: What calls were answered

    /// A call was answered that an event will report it.
    ///
    /// - Parameter waits: whether the context waited for the visitor's record.
    func promise(_ report: Report, by owner: Int, isAtRisk: Bool, waits: Bool = true) {
        if promises[report] == nil { order.append(report) }
        if !waits { receptions[report, default: Reception()].decisions += 1 }
        if let known = promises[report], !known.isAtRisk { return }
        promises[report] = Promise(owner: owner, time: World.current.time, isAtRisk: isAtRisk)
    }

    /// A call was answered that it triggered the goal.
    ///
    /// *Each goal of a visitor is reported once.* Example: two requests of a visitor track `purchase` at once; one is answered
    /// `triggered`, the other `alreadyTriggered`.
    func claim(_ report: Report, by owner: Int, isAtRisk: Bool) {
        if let claim = claims[report], claim.owner == owner || !claim.isAtRisk && !isAtRisk {
            World.current.fail("a goal counts twice, \(report)")
        }
        claims[report] = (owner, isAtRisk)
    }

    /// A call was answered with a variation.
    ///
    /// *A visitor's variation never changes while config and attributes allow it.* Example: the shares of an experience change from
    /// 10:90 to 50:50; whoever saw a variation before sees it still, also after a restart.
    func decide(_ report: Report, _ variation: String, by owner: Int, isAtRisk: Bool) {
        if let known = variations[report], known.variation != variation,
            known.owner == owner || !known.isAtRisk && !isAtRisk
        {
            World.current.fail("\(report) changes from \(known.variation) to \(variation)")
        }
        variations[report] = (variation, owner, isAtRisk)
    }

    /// What the process has promised is durable by now.
    /// - Parameter areVisitorsKept: whether that includes what is known of visitors, and not only events.
    func settle(_ owner: Int, areVisitorsKept: Bool = true) {
        for report in order where promises[report]?.owner == owner { promises[report]?.isAtRisk = false }
        if !areVisitorsKept { return }
        for report in claims.keys where claims[report]?.owner == owner { claims[report]?.isAtRisk = false }
        for report in variations.keys where variations[report]?.owner == owner { variations[report]?.isAtRisk = false }
    }

    /// The process ended, and took along what was at risk.
    /// - Parameters:
    ///   - end: how it ended. A failure of power may take back what was saved of visitors.
    ///   - counts: where its events were.
    func didEnd(_ owner: Int, by end: Disk.End, _ counts: DeliveryCounts) {
        endCount += 1
        if end == .powerFailure { (claims, variations) = ([:], [:]) }
        rejectedCount += counts.lost
        forget(owner)
    }

    /// The process was shut down. What is not kept is lost with it.
    /// - Parameter isWell: whether the disk took everything that it was given.
    func didStop(_ owner: Int, isDurable: Bool, isWell: Bool, _ report: ShutdownReport) {
        let isKept = isDurable && report.isJournaled
        rejectedCount += report.events.lost
        if isKept || report.isComplete { settle(owner) } else { forget(owner) }
        // Memory forgets its visitors, and a journal that cannot be written to does not forget what was delivered.
        if !isDurable || !isWell { endCount += 1 }
        if isDurable { return }
        claims = claims.filter { $0.value.owner != owner || !$0.value.isAtRisk }
        variations = variations.filter { $0.value.owner != owner || !$0.value.isAtRisk }
    }

    private func forget(_ owner: Int) {
        order.removeAll { report in
            guard let promise = promises[report], promise.owner == owner, promise.isAtRisk else { return false }
            promises[report] = nil
            return true
        }
        claims = claims.filter { $0.value.owner != owner || !$0.value.isAtRisk }
        variations = variations.filter { $0.value.owner != owner || !$0.value.isAtRisk }
    }

    // MARK: What the endpoint gets

    /// A request arrived.
    func didTake(_ request: HTTPRequest, isRepeated: Bool) {
        for report in Self.reports(in: request) { receptions[report, default: Reception()].taken += isRepeated ? 2 : 1 }
    }

    /// A request was answered.
    ///
    /// *What was delivered is not sent again.* Example: a request with three events is answered 200; no other request holds one of
    /// them, unless the process ended before it could remember that.
    func didAnswer(_ status: Int, _ request: HTTPRequest, to owner: Int, isHeard: Bool) {
        guard status == 200, isHeard else { return }
        for report in Self.reports(in: request) {
            receptions[report, default: Reception()].heard += 1
            let (heard, decisions) = (receptions[report]?.heard ?? 0, receptions[report]?.decisions ?? 0)
            if heard > 1 + endCount + decisions {
                World.current.fail("an event was delivered \(heard) times, \(report)")
            }
        }
    }

    /// Whether the endpoint refuses what is in the request.
    func holdsRefusedEvent(_ request: HTTPRequest) -> Bool {
        Self.reports(in: request).contains { $0.visitor == Plan.refusedVisitor }
    }

    // MARK: The end

    /// What was promised and never arrived.
    ///
    /// *Each event reaches the endpoint at least once.* Example: a server is killed one disk step after `trackConversion`
    /// returned; the next one finds the event, and sends it.
    ///
    /// - Parameter counts: where the events of the process are that runs.
    func missing(_ counts: DeliveryCounts) -> [Report] {
        let missing = order.filter { $0.visitor != Plan.refusedVisitor && receptions[$0]?.taken ?? 0 == 0 }
        return missing.count > rejectedCount + counts.lost ? missing : []
    }

    /// The events in a request.
    private static func reports(in request: HTTPRequest) -> [Report] {
        guard let body = request.body,
            let json = try? ECMAScript.parseJSON(String(decoding: body, as: UTF8.self)).withRoot({ $0.value })
                .objectValue
        else { return [] }
        return (json["visitors"]?.arrayValue ?? []).flatMap { visitor -> [Report] in
            let id = visitor.objectValue?["visitorId"]?.stringValue ?? ""
            return (visitor.objectValue?["events"]?.arrayValue ?? []).map {
                Report(visitor: id, what: what($0.objectValue ?? JSObject()))
            }
        }
    }

    private static func what(_ event: JSObject) -> String {
        let data = event["data"]?.objectValue ?? JSObject()
        func text(_ name: String) -> String { data[name]?.stringValue ?? "" }
        if event["eventType"]?.stringValue == "bucketing" {
            return "sees \(text("variationId")) of \(text("experienceId"))"
        }
        for value in data["goalData"]?.arrayValue ?? [] where value.objectValue?["key"]?.stringValue == "transactionId"
        {
            return "buys \(value.objectValue?["value"]?.stringValue ?? "")"
        }
        return "triggers \(text("goalId"))"
    }
}

extension DeliveryCounts {
    /// Number of events that were given up for want of room, or after the end.
    fileprivate var lost: Int { (rejected[.overflow] ?? 0) + (rejected[.shutDown] ?? 0) }
}
