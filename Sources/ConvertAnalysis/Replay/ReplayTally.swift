internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The results of replaying a log.
public struct ReplayTally: Sendable, Equatable {
    /// The results of reading the lines.
    public internal(set) var lines = RecordTally()
    /// The number of repeated decisions.
    public internal(set) var decisionCount = 0
    /// The number of repeated decisions that differ from the log.
    public internal(set) var differenceCount = 0
    /// The number of differing decisions in lines that withhold data that may have decided them.
    public internal(set) var withheldCount = 0
    /// The number of decisions that cannot be repeated, because their lines contain no visitor's id.
    public internal(set) var undecidableCount = 0
    /// The number of lines that were decided with another config than the one they name.
    public internal(set) var otherConfigCount = 0
    /// The numbers of differing decisions by their change, for lines that withhold nothing relevant. Contains the first
    /// 10,000 changes, as long as their texts take at most 16 MB.
    public internal(set) var routes: [ReplayRoute: Int] = [:]
    /// The length of all texts in ``routes``, in bytes.
    private var routeLength = 0
    /// The number of differing decisions whose change is not in ``routes``.
    public internal(set) var otherRouteCount = 0
    /// The numbers of decisions that cannot be determined, because lines withhold data that may have decided them.
    /// Contains the first 10,000 experiences and features.
    public internal(set) var unknowable: [DecisionReplay.Subject: Int] = [:]

    /// The numbers of lines that withhold a property which no rule reads, by the property's name. Contains the first 20
    /// names.
    public internal(set) var unreadNames: [String: Int] = [:]

    /// The environments in which the replay decides the lines.
    var environments = LogEnvironments()

    /// Warnings about the lines' environments.
    public internal(set) var environmentWarnings: [LogEnvironmentWarning] = []

    /// The number of differing decisions in lines with all data that decided them.
    public var knownDifferenceCount: Int { differenceCount - withheldCount }

    /// The maximum number of routes. A feature's values, which may differ for each visitor, are part of a route.
    static let routeLimit = 10_000
    /// The maximum length of all texts in ``routes``, in bytes.
    static let routeLengthLimit = 16 << 20

    mutating func add(_ count: Int, by route: ReplayRoute) {
        if let known = routes[route] {
            routes[route] = known + count
        } else if routes.count < Self.routeLimit, routeLength + route.length <= Self.routeLengthLimit {
            routes[route] = count
            routeLength += route.length
        } else {
            otherRouteCount += count
        }
    }

    private mutating func add(_ count: Int, unknowableOf subject: DecisionReplay.Subject) {
        guard unknowable.count < Self.routeLimit || unknowable[subject] != nil else { return }
        unknowable[subject, default: 0] += count
    }

    /// The maximum number of names in ``unreadNames``.
    private static let nameLimit = 20

    mutating func add(_ count: Int, unread name: String) {
        if unreadNames.count < Self.nameLimit || unreadNames[name] != nil { unreadNames[name, default: 0] += count }
    }

    mutating func add(_ next: ReplayTally) {
        for (name, count) in next.unreadNames.sorted(by: { $0.key < $1.key }) { add(count, unread: name) }
        for (route, count) in next.sortedRoutes { add(count, by: route) }
        otherRouteCount += next.otherRouteCount
        for (subject, count) in next.sortedUnknowable { add(count, unknowableOf: subject) }
        lines.add(next.lines)
        environments.add(next.environments)
        decisionCount += next.decisionCount
        differenceCount += next.differenceCount
        withheldCount += next.withheldCount
        undecidableCount += next.undecidableCount
        otherConfigCount += next.otherConfigCount
    }
}

extension ReplayTally {
    mutating func add(_ decisions: [ReplayedDecision], _ differences: [DecisionReplay.Difference]) {
        decisionCount += decisions.count { $0.found != nil }
        undecidableCount += decisions.count { $0.found == nil }
        differenceCount += differences.count
        for decision in decisions where !decision.unknowable.isEmpty { add(1, unknowableOf: decision.subject) }
        for difference in differences {
            if difference.withheld.isEmpty {
                add(1, by: ReplayRoute(difference))
            } else {
                withheldCount += 1
            }
        }
    }
}

extension ReplayTally {
    /// The routes, sorted by name, then the most frequent first.
    public var sortedRoutes: [(route: ReplayRoute, count: Int)] {
        routes.sorted { left, right in
            if left.key.name != right.key.name { return left.key.name < right.key.name }
            if left.value != right.value { return left.value > right.value }
            return (left.key.logged ?? "", left.key.found ?? "", left.key.reason)
                < (right.key.logged ?? "", right.key.found ?? "", right.key.reason)
        }.map { ($0.key, $0.value) }
    }

    /// The experiences and features with undetermined decisions, by name.
    public var sortedUnknowable: [(subject: DecisionReplay.Subject, count: Int)] {
        unknowable.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value) }
    }

    /// The tally as `replay --json` prints it.
    public var json: String {
        ECMAScript.jsonText(
            of: [
                "lines": .integer(lines.recordCount), "errors": .integer(lines.errorCount),
                "decisions": .integer(decisionCount), "differences": .integer(knownDifferenceCount),
                "unknowable": .integer(withheldCount + undecidableCount), "otherConfig": .integer(otherConfigCount),
                "environmentWarnings": environmentWarnings.value,
                "routes": .array(
                    sortedRoutes.map { route, count in
                        var members = route.subject.members
                        members["logged"] = JSValue(route.logged)
                        members["found"] = JSValue(route.found)
                        members["reason"] = .string(route.reason)
                        members["count"] = .integer(count)
                        return .object(members)
                    }),
                "otherRoutes": .integer(otherRouteCount),
                "unknowableBy": .array(
                    sortedUnknowable.map { subject, count in
                        var members = subject.members
                        members["count"] = .integer(count)
                        return .object(members)
                    }),
            ])
    }
}
