internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What came of the replay of a log.
public struct ReplayTally: Sendable, Equatable {
    /// What came of its lines.
    public internal(set) var lines = RecordTally()
    /// Number of decisions made again.
    public internal(set) var decisionCount = 0
    /// Number of those that come out otherwise.
    public internal(set) var differenceCount = 0
    /// Number of those in lines that withhold what may have decided them.
    public internal(set) var withheldCount = 0
    /// Number of decisions that cannot be made again, because their lines have no visitor's id.
    public internal(set) var undecidableCount = 0
    /// Number of lines that were decided again with another config than the one that they name.
    public internal(set) var otherConfigCount = 0
    /// How many decisions went from what to what, of those that come out otherwise and withhold nothing.
    /// The first 10,000 routes are listed, as far as their texts take at most 16 MB together.
    public internal(set) var routes: [ReplayRoute: Int] = [:]
    /// How many bytes their texts take together.
    private var routeLength = 0
    /// Number of those decisions that went by routes that are not listed.
    public internal(set) var otherRouteCount = 0
    /// How many decisions of each experience or feature cannot be known, because lines withhold what may have decided
    /// them. The first 10,000 experiences and features are listed.
    public internal(set) var unknowable: [DecisionReplay.Subject: Int] = [:]

    /// How many lines withhold a property that no rule reads, by its name. The first 20 names are listed.
    public internal(set) var unreadNames: [String: Int] = [:]

    private var environments = LogEnvironments()

    /// What is odd about the environments that lines name and that decide them again.
    public internal(set) var environmentWarnings: [LogEnvironmentWarning] = []

    /// Number of decisions that come out otherwise, although the line has all that decided them.
    public var knownDifferenceCount: Int { differenceCount - withheldCount }

    /// How many routes are listed: a feature's values, which visitors may differ in, are among them.
    static let routeLimit = 10_000
    /// How many bytes their texts may take together.
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

    /// How many names are listed that no rule reads.
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
    /// Finds what is odd about the environments of lines that the configs decide.
    mutating func warn(of candidates: [DecisionReplay.Candidate]) {
        environmentWarnings = candidates.isEmpty ? [] : environments.warnings(candidates)
    }

    /// Counts a line's environment.
    mutating func add(environment: String, config: Int) {
        environment.withUTF8Bytes { environments.add($0, config: config) }
    }

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
    /// The routes, by name, the most frequent of each first.
    public var sortedRoutes: [(route: ReplayRoute, count: Int)] {
        routes.sorted { left, right in
            if left.key.name != right.key.name { return left.key.name < right.key.name }
            if left.value != right.value { return left.value > right.value }
            return (left.key.logged ?? "", left.key.found ?? "", left.key.reason)
                < (right.key.logged ?? "", right.key.found ?? "", right.key.reason)
        }.map { ($0.key, $0.value) }
    }

    /// The experiences and features with decisions that cannot be known, by name.
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
