internal import ConvertECMAScript

/// From what to what decisions of one experience or feature went.
public struct ReplayRoute: Sendable, Hashable {
    /// What was decided.
    public let subject: DecisionReplay.Subject
    /// What was logged: a variation's key, or JSON text for a feature; `nil` for no variation or feature.
    public let logged: String?
    /// What is decided now.
    public let found: String?
    /// Why there is no variation now, or where the decision came from.
    public let reason: String

    init(_ difference: DecisionReplay.Difference) {
        subject = difference.subject
        logged = Self.text(of: difference.logged)
        found = Self.text(of: difference.found)
        reason = difference.reason
    }

    private static func text(of value: JSValue) -> String? {
        value.isNull ? nil : value.stringValue ?? ECMAScript.jsonText(keepingNumbersOf: value)
    }

    /// The key of the experience or of the feature.
    public var name: String {
        switch subject {
        case .experience(let name), .feature(let name): name
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

    /// The tally as `replay --json` prints it.
    public var json: String {
        ECMAScript.jsonText(
            of: [
                "lines": .integer(lines.recordCount), "errors": .integer(lines.errorCount),
                "decisions": .integer(decisionCount), "differences": .integer(knownDifferenceCount),
                "unknowable": .integer(withheldCount + undecidableCount), "otherConfig": .integer(otherConfigCount),
                "routes": .array(
                    sortedRoutes.map { route, count in
                        var members: JSObject = [
                            "logged": route.logged.map { .string($0) } ?? .null,
                            "found": route.found.map { .string($0) } ?? .null, "reason": .string(route.reason),
                            "count": .integer(count),
                        ]
                        switch route.subject {
                        case .experience(let name): members["experience"] = .string(name)
                        case .feature(let name): members["feature"] = .string(name)
                        }
                        return .object(members)
                    }),
            ])
    }

    /// The tally as one HTML document that needs no network, and no script to be read.
    ///
    /// - Parameter provenance: what the page says of its origin.
    public func html(provenance: PageProvenance = PageProvenance()) -> String {
        let table = HTMLPage.table(
            "Decisions that come out otherwise", ["Experience or feature", "Logged", "Now", "Why", "Decisions"],
            sortedRoutes.map { route, count in
                [
                    .text(route.name), .text(route.logged ?? "none"), .text(route.found ?? "none"),
                    .text(route.reason), .count(count),
                ]
            })
        let summary =
            "\(HTMLPage.grouped(knownDifferenceCount)) of \(HTMLPage.grouped(decisionCount)) decisions come out "
            + "otherwise; "
            + "\(withheldCount + undecidableCount) cannot be known, because the log withholds what decided them."
        return HTMLPage(
            title: "Replay", summary: summary,
            sections: [HTMLPage.Section(id: "overview", title: "Overview", contents: table)], provenance: provenance
        ).source
    }
}
