internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Possible values of withheld properties: one for each combination of answers that the rules of a config can give
/// about them. A property may also be absent.
struct WithheldValues: Sendable {
    /// A property with one of its values.
    private struct Property: Sendable {
        let key: PropertyKey
        let scope: Formula.Scope
        /// The value; `nil` stands for an absent property.
        let value: JSValue?
    }

    /// A property with conditions on it.
    private struct Subject: Hashable {
        let key: PropertyKey
        let scope: Formula.Scope
    }

    /// The names of the properties in the line.
    private(set) var names: [String] = []
    /// The names of withheld properties that no rule of the config reads.
    private(set) var unreadNames: [String] = []
    private var choices: [[Property]] = [[]]

    /// The maximum number of tried combinations of values.
    private static let mostChoices = 64
    /// The maximum number of transitions for finding the values of one config and list of names.
    private static let mostTransitions = 2_000_000

    /// - Parameters:
    ///   - withheld: the names that a line withholds. Names are left out if not all of their possible answers are
    ///     known.
    ///   - hasLocation: whether the line contains location properties.
    ///   - project: the config.
    init(_ withheld: [String], hasLocation: Bool, in project: Project) {
        var limits = AnalysisLimits()
        limits.transitions = Self.mostTransitions
        let pool = ConditionPool(semantics: project.options.semantics, budget: AnalysisBudget(limits))
        let subjects = Self.subjects(of: project, pool)
        for name in withheld where !WithheldInfluence.isReserved(name) {
            let own = PropertyKey(name)
            // If properties have this member, the reference treats them as an object that answers rules itself.
            if project.options.semantics == .javaScript, own.lowercase == "name" { continue }
            let parts = WithheldInfluence.keys(of: name)
            let read = subjects.filter { subject in
                parts.contains(subject.key.lowercase)
                    && (hasLocation || subject.key != own || subject.scope == .visitor)
            }
            if !subjects.contains(where: { parts.contains($0.key.lowercase) }) { unreadNames.append(name) }
            // A rule may read an object that contains the property, or the name in another case.
            guard !read.isEmpty, read.allSatisfy({ $0.key == own }), !names.contains(name) else { continue }
            var next = choices
            for subject in read {
                guard
                    let values = Self.values(
                        of: pool.domains.filter { $0.attribute == subject.key }, most: Self.mostChoices / next.count,
                        pool.budget)
                else {
                    next = []
                    break
                }
                next = next.flatMap { choice in
                    values.map { choice + [Property(key: own, scope: subject.scope, value: $0)] }
                }
            }
            if next.isEmpty { continue }
            choices = next
            names.append(name)
        }
    }

    /// Copies of the line, one with each combination of values.
    func lines(for line: LoggedDecisions) -> [LoggedDecisions] {
        choices.map { choice in
            var line = line
            line.withheld.removeAll(where: names.contains)
            for property in choice {
                switch property.scope {
                case .visitor: line.visitor.attributes[property.key] = property.value
                case .location: line.visitor.locationProperties?[property.key] = property.value
                }
            }
            return line
        }
    }

    /// The properties that rules of experiences read. Their conditions are added to the pool.
    private static func subjects(of project: Project, _ pool: ConditionPool) -> [Subject] {
        let config = project.config
        let adapter = RuleAdapter(semantics: pool.semantics)
        var subjects: [Subject] = []
        func add(_ tree: RuleTree?, _ scope: Formula.Scope) {
            let groups = tree.map { adapter.flatten($0) } ?? []
            for condition in groups.flatMap({ $0.clauses.joined() }) {
                guard let key = pool[pool.intern(condition)].attribute else { continue }
                let subject = Subject(key: key, scope: scope)
                if !subjects.contains(subject) { subjects.append(subject) }
            }
        }
        for audience in config.audiences where audience.rules?.bucketingQuestion == nil {
            add(audience.rules, .visitor)
        }
        for location in config.locations { add(location.rules, .location) }
        for experience in config.experiences { add(experience.siteArea, .location) }
        return subjects
    }

    /// One value for each combination of answers of `conditions`; `nil` if there are more than `most`, or if a search
    /// stays undecided.
    private static func values(
        of conditions: [ConditionDomain], most: Int, _ budget: AnalysisBudget
    ) -> [JSValue?]? {
        typealias Wishes = [(condition: ConditionDomain, isWanted: Bool)]
        var found: [(wishes: Wishes, value: JSValue?)] = [([], nil)]
        for condition in conditions where condition.constant == nil {
            var next: [(wishes: Wishes, value: JSValue?)] = []
            for (wishes, value) in found {
                for isWanted in [true, false] {
                    let wishes = wishes + [(condition, isWanted)]
                    if condition.holds(for: value) == isWanted {
                        next.append((wishes, value))
                        continue
                    }
                    switch ValueSearch(wishes, budget: budget).run() {
                    case .impossible: break
                    case .undecided: return nil
                    case .value(let other): next.append((wishes, other))
                    }
                }
            }
            if next.count > most { return nil }
            found = next
        }
        return found.map(\.value)
    }
}
