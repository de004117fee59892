internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Values that withheld properties may have had: one for each combination of answers that the rules of a config can
/// give about them. What is decided with none of them is decided with no value.
struct WithheldValues: Sendable {
    /// A property with one of its values.
    private struct Property: Sendable {
        let key: PropertyKey
        let scope: Formula.Scope
        /// `nil` is an absent property.
        let value: JSValue?
    }

    /// The conditions on one property.
    private struct Subject: Hashable {
        let key: PropertyKey
        let scope: Formula.Scope
    }

    /// Names of the properties, as lines have them.
    private(set) var names: [String] = []
    /// Names of which no rule of the config reads a property.
    private(set) var unreadNames: [String] = []
    private var choices: [[Property]] = [[]]

    /// How many combinations of values are tried.
    private static let mostChoices = 64
    /// What finding the values may take, for each config and list of names.
    private static let mostTransitions = 2_000_000

    /// - Parameters:
    ///   - withheld: what a line withholds. Names are left out whose values are not known to be complete.
    ///   - hasLocation: whether the line has properties of where the visitor is.
    ///   - project: the config.
    init(_ withheld: [String], hasLocation: Bool, in project: Project) {
        var limits = AnalysisLimits()
        limits.transitions = Self.mostTransitions
        let pool = ConditionPool(semantics: project.options.semantics, budget: AnalysisBudget(limits))
        let subjects = Self.subjects(of: project, pool)
        for name in withheld where !WithheldInfluence.isReserved(name) {
            let own = PropertyKey(name)
            // With that member the reference takes properties for an object that answers for itself.
            if project.options.semantics == .javaScript, own.lowercase == "name" { continue }
            let parts = WithheldInfluence.keys(of: name)
            let read = subjects.filter { subject in
                parts.contains(subject.key.lowercase)
                    && (hasLocation || subject.key != own || subject.scope == .visitor)
            }
            if !subjects.contains(where: { parts.contains($0.key.lowercase) }) { unreadNames.append(name) }
            // A rule may read an object around it, or a property that is spelled otherwise.
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

    /// The line with each of the combinations of values.
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

    /// The properties that rules of experiences read. Their conditions are those of the pool.
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

    /// One value for each combination of answers of `conditions`; `nil` if there are more than `most`, or it could not
    /// be decided whether there is a value.
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
