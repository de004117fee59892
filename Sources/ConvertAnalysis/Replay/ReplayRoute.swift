package import ConvertECMAScript

/// A change of decisions for one experience or feature.
public struct ReplayRoute: Sendable, Hashable {
    /// The experience or feature that was decided.
    public let subject: DecisionReplay.Subject
    /// The logged answer: a variation's key, or JSON text for a feature; `nil` if there was no variation or the feature
    /// was off.
    public let logged: String?
    /// The answer now, in the same form.
    public let found: String?
    /// The reason for having no variation now, or the source of the decision.
    public let reason: String

    init(_ difference: DecisionReplay.Difference) {
        subject = difference.subject
        logged = Self.text(of: difference.logged)
        found = Self.text(of: difference.found)
        reason = difference.reason
    }

    /// A variation's key, or JSON text for a feature; `nil` if there is no variation or the feature is off.
    package static func text(of value: JSValue) -> String? {
        value.isNull ? nil : value.stringValue ?? ECMAScript.jsonText(keepingNumbersOf: value)
    }

    /// The key of the experience or of the feature.
    public var name: String { subject.name }

    /// The length of the texts, in bytes.
    var length: Int { name.utf8.count + (logged?.utf8.count ?? 0) + (found?.utf8.count ?? 0) }
}

extension DecisionReplay.Subject {
    /// The key of the experience or of the feature.
    public var name: String {
        switch self {
        case .experience(let name), .feature(let name): name
        }
    }

    /// A JSON object with the key as `experience` or as `feature`.
    fileprivate var members: JSObject {
        switch self {
        case .experience(let name): ["experience": .string(name)]
        case .feature(let name): ["feature": .string(name)]
        }
    }
}

extension DecisionReplay {
    /// The text after a number of decisions that withheld properties leave open; empty if the number is 0.
    package static func unknowableText(_ count: Int) -> String {
        count > 0 ? ", \(count) cannot be known because properties are withheld" : ""
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
                        members["logged"] = route.logged.map { .string($0) } ?? .null
                        members["found"] = route.found.map { .string($0) } ?? .null
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

    /// The tally as one HTML document that needs no network and can be read without scripts.
    ///
    /// - Parameter provenance: the origin that the page shows.
    public func html(provenance: PageProvenance = PageProvenance()) -> String {
        let routes = HTMLPage.table(
            "Decisions that come out otherwise", ["Experience or feature", "Logged", "Now", "Why", "Decisions"],
            sortedRoutes.map { route, count in
                [
                    .text(route.name), .text(route.logged ?? "none"), .text(route.found ?? "none"),
                    .text(route.reason), .count(count),
                ]
            })
        let others = HTMLPage.table(
            "Decisions that cannot be known", ["Experience or feature", "Decisions"],
            sortedUnknowable.map { [.text($0.subject.name), .count($0.count)] })
        let more: HTML =
            otherRouteCount > 0
            ? #"<p class="soft">… and \#(HTMLPage.grouped(otherRouteCount)) more decisions</p>"# : ""
        let warnings = environmentWarnings.map { warning -> HTML in
            "<p>\(HTMLPage.grouped(warning.lines)) lines: \(warning.text).</p>"
        }
        let contents = HTML(warnings + [routes, more] + (unknowable.isEmpty ? [] : [others]))
        let summary =
            "\(HTMLPage.grouped(knownDifferenceCount)) of \(HTMLPage.grouped(decisionCount)) decisions come out "
            + "otherwise; "
            + "\(withheldCount + undecidableCount) cannot be known, because the log withholds what decided them."
            + (otherConfigCount > 0
                ? " \(HTMLPage.grouped(otherConfigCount)) lines name another config than the one that decides them."
                : "")
        return HTMLPage(
            title: "Replay", summary: summary,
            sections: [HTMLPage.Section(id: "overview", title: "Overview", contents: contents)], provenance: provenance
        ).source
    }
}
