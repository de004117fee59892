internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Searches for a visitor who meets a formula.
///
/// It splits the formula into cases until each attribute has a list of conditions with wanted answers, and searches for
/// a value of each attribute. Cases use heap memory rather than recursion.
final class VisitorSearch {
    enum Answer {
        /// No such visitor exists.
        case impossible
        case found(Model)
        /// The search could not decide whether such a visitor exists.
        case undecided

        /// Whether such a visitor exists; `nil` if the search could not decide that.
        var isPossible: Bool? {
            switch self {
            case .impossible: false
            case .found: true
            case .undecided: nil
            }
        }
    }

    /// The required properties of a visitor.
    struct Model {
        var attributes = JSObject()
        var locationProperties = JSObject()
        /// Whether a decision is stored, by the experience's id.
        var storedDecisions: [String: Bool] = [:]
        /// Whether the visitor is in a custom segment.
        var customSegments: [EntityID: Bool] = [:]
        /// The allowed bucket values, by the experience's id.
        var buckets: [String: BucketSet] = [:]
        /// The environment of the call, if it matters.
        var environment: String?
        /// The environments that the call is not made in.
        var excludedEnvironments: Set<PropertyKey> = []

        /// The value of a property.
        subscript(subject: Subject) -> JSValue? {
            get { self[keyPath: subject.scope.members][subject.key] }
            set { self[keyPath: subject.scope.members][subject.key] = newValue }
        }
    }

    /// A property that conditions are on.
    struct Subject: Hashable {
        let key: PropertyKey
        let scope: Formula.Scope
    }

    /// The wanted answers for some attribute's value, independent of the attribute.
    private struct Question: Hashable {
        /// Twice the number of each comparison, plus 1 if the comparison must hold.
        let wishes: [Int]
        let kinds: ValueKinds
    }

    /// The state of one case.
    private struct Case {
        var pending: [Formula]
        var choices: [[Formula]] = []
        var truths: [Formula.Proposition: Bool] = [:]
        var wishes: [Subject: [Int]] = [:]
        var buckets: [String: BucketSet] = [:]
        var environment: PropertyKey?
    }

    /// The number of automaton transitions that take as long as processing a formula.
    private static let formulaCost = 2

    private let pool: ConditionPool
    private var answers: [Question: ValueSearch.Answer] = [:]

    var semantics: RuleSemantics { pool.semantics }

    /// The budget that pays for the questions.
    var budget: AnalysisBudget { pool.budget }

    init(_ pool: ConditionPool) { self.pool = pool }

    /// Searches for a visitor who meets all of `formulas`, with attributes of `kinds`.
    func run(_ formulas: [Formula], kinds: ValueKinds = .all) -> Answer {
        guard let formulas = simplified(formulas) else { return .impossible }
        if pool.budget.isExhausted { return .undecided }
        var open = [Case(pending: formulas)]
        var tries = 0
        var isUnsure = false
        while var current = open.popLast() {
            tries += 1
            if tries > pool.budget.limits.assignments || pool.budget.isExhausted { return .undecided }
            guard settle(&current, kinds) else { continue }
            guard let index = current.choices.indices.min(by: { current.choices[$0].count < current.choices[$1].count })
            else {
                if let model = model(of: current, kinds) { return .found(model) }
                isUnsure = true
                continue
            }
            let options = current.choices.remove(at: index)
            // The last option is processed first.
            for option in options.reversed() {
                var next = current
                next.pending = [option]
                open.append(next)
            }
        }
        return isUnsure ? .undecided : .impossible
    }

    /// The formulas without alternatives that others contradict; `nil` if a formula has no alternative left.
    ///
    /// Versions of one rule share most of their parts, which need no search then.
    private func simplified(_ formulas: [Formula]) -> [Formula]? {
        var known: Set<Formula> = []
        var literals: [Formula] = []
        var alternatives: [[Formula]] = []
        var pending = formulas
        while true {
            while let formula = pending.popLast() {
                pool.budget.spend(Self.formulaCost)
                switch formula {
                case .all(let parts): pending += parts
                case .any(let parts):
                    if known.insert(formula).inserted { alternatives.append(parts) }
                case .literal:
                    if known.insert(formula).inserted { literals.append(formula) }
                }
            }
            var rest: [[Formula]] = []
            for parts in alternatives {
                pool.budget.spend(parts.count)
                let options = parts.filter { !Self.isRuledOut($0, by: known) }
                if options.isEmpty { return nil }
                if options.count == 1 { pending += options } else { rest.append(options) }
            }
            alternatives = rest
            if pending.isEmpty || pool.budget.isExhausted { break }
        }
        return literals + pending + alternatives.map(Formula.any)
    }

    /// Whether no visitor meets all of `formulas`, which is proven.
    func isImpossible(_ formulas: [Formula], kinds: ValueKinds = .all) -> Bool {
        if case .impossible = run(formulas, kinds: kinds) { true } else { false }
    }

    /// Whether `formulas` contradict each other by their form alone, whatever values meet their conditions.
    func isImpossibleByForm(_ formulas: [Formula]) -> Bool { simplified(formulas) == nil }

    /// Whether a formula contradicts the known formulas.
    private static func isRuledOut(_ formula: Formula, by known: Set<Formula>) -> Bool {
        switch formula.negated {
        case .all(let parts): parts.allSatisfy(known.contains)
        case let opposite: known.contains(opposite)
        }
    }

    /// Processes all pending formulas. Returns whether the case may still hold.
    private func settle(_ current: inout Case, _ kinds: ValueKinds) -> Bool {
        var changed: [Subject] = []
        while let formula = current.pending.popLast() {
            switch formula {
            case .all(let parts): current.pending += parts
            case .any(let parts): current.choices.append(parts)
            case .literal(let literal):
                if let known = current.truths[literal.proposition] {
                    if known != literal.isWanted { return false }
                } else {
                    current.truths[literal.proposition] = literal.isWanted
                    switch literal.proposition {
                    case .bucket(let id, let values):
                        let left = (current.buckets[id] ?? .all).intersection(
                            literal.isWanted ? values : values.complement)
                        if left.isEmpty { return false }
                        current.buckets[id] = left
                    case .environment(let name) where literal.isWanted:
                        if let other = current.environment, other != name { return false }
                        current.environment = name
                    case .condition, .storedDecision, .customSegment, .environment: break
                    }
                    if case .condition(let number, let scope) = literal.proposition, let key = pool[number].attribute {
                        let subject = Subject(key: key, scope: scope)
                        current.wishes[subject, default: []].append(number * 2 + (literal.isWanted ? 1 : 0))
                        if !changed.contains(subject) { changed.append(subject) }
                    }
                }
            }
            if current.pending.isEmpty, !simplify(&current) { return false }
        }
        return changed.allSatisfy { subject in
            if case .impossible = answer(current.wishes[subject] ?? [], kinds) { false } else { true }
        }
    }

    /// Removes known literals from the choices; a choice with one part left becomes pending. Returns whether no choice
    /// is empty.
    private func simplify(_ current: inout Case) -> Bool {
        var choices: [[Formula]] = []
        for choice in current.choices {
            pool.budget.spend(choice.count)
            var isSettled = false
            let options = choice.filter { option in
                guard case .literal(let literal) = option, let known = current.truths[literal.proposition] else {
                    return true
                }
                if known == literal.isWanted { isSettled = true }
                return false
            }
            if isSettled { continue }
            if options.isEmpty { return false }
            if options.count == 1 { current.pending.append(options[0]) } else { choices.append(options) }
        }
        current.choices = choices
        return true
    }

    private func answer(_ wishes: [Int], _ kinds: ValueKinds) -> ValueSearch.Answer {
        pool.budget.spend(wishes.count)
        let question = Question(wishes: wishes.map { pool.comparison(of: $0 / 2) * 2 + $0 % 2 }.sorted(), kinds: kinds)
        if let known = answers[question] { return known }
        let search = ValueSearch(
            wishes.sorted().map { (pool[$0 / 2], $0 % 2 == 1) }, kinds: kinds, budget: pool.budget)
        let answer = search.run()
        answers[question] = answer
        return answer
    }

    private func model(of solved: Case, _ kinds: ValueKinds) -> Model? {
        var model = Model()
        for (subject, wishes) in solved.wishes {
            guard case .value(let value) = answer(wishes, kinds) else { return nil }
            model[subject] = value
        }
        for (proposition, isWanted) in solved.truths {
            switch proposition {
            case .condition: break
            case .storedDecision(let id): model.storedDecisions[id] = isWanted
            case .customSegment(let id): model.customSegments[id] = isWanted
            case .environment(let name) where !isWanted: model.excludedEnvironments.insert(name)
            case .bucket, .environment: break
            }
        }
        model.buckets = solved.buckets
        model.environment = solved.environment?.text
        // Sorted, so that the result does not depend on the dictionaries' order.
        model.attributes = model.attributes.sortedByName
        model.locationProperties = model.locationProperties.sortedByName
        return model
    }
}

extension Formula.Scope {
    /// The properties of a visitor that conditions of the scope are on.
    fileprivate var members: WritableKeyPath<VisitorSearch.Model, JSObject> {
        switch self {
        case .visitor: \.attributes
        case .location: \.locationProperties
        }
    }
}

extension JSObject {
    /// The object with its members sorted by name.
    var sortedByName: JSObject {
        sorted { ECMAScript.isLess($0.key.name, $1.key.name) }.reduce(into: JSObject()) { $0[$1.key] = $1.value }
    }
}
