internal import ConvertECMAScript

/// Decides whether one of several alternative formulas, such as the groups of a rule graph, lets in visitors that the
/// others do not.
///
/// A visitor that the search finds is tried on all alternatives first. The next search includes only alternatives that
/// hold for a found visitor, so a question combines only a few of thousands of groups.
final class GroupCoverage {
    enum Coverage {
        /// Some visitor meets the formula and none of the alternatives.
        case none
        /// Every visitor who meets the formula meets the alternative at this index.
        case one(Int)
        /// Every visitor who meets the formula meets at least one of the alternatives.
        case several
        case undecided
    }

    /// The maximum number of alternatives that one question combines, or tries one by one.
    static let mostTerms = 32

    private typealias Subject = VisitorSearch.Subject

    private let formulas: [Formula]
    private let search: VisitorSearch
    private let pool: ConditionPool
    /// The indices of the formulas that require an attribute to be one of some texts, by attribute and text.
    private var places: [Subject: [PropertyKey: [Int]]] = [:]
    /// The indices of the other formulas.
    private var others: [Int] = []

    init(_ formulas: [Formula], _ search: VisitorSearch, _ pool: ConditionPool) {
        self.formulas = formulas
        self.search = search
        self.pool = pool
        for (place, formula) in formulas.enumerated() {
            guard let texts = admittedTexts(of: formula) else {
                others.append(place)
                continue
            }
            for (subject, text) in texts { places[subject, default: [:]][text, default: []].append(place) }
        }
    }

    /// Whether every visitor who meets the alternative at `place` meets an earlier one.
    func coverage(of place: Int) -> Coverage { coverage(of: formulas[place], before: place) }

    /// Whether every visitor meets one of the alternatives.
    var coverageOfEverybody: Coverage { coverage(of: .holds, before: formulas.count) }

    /// Whether every visitor who meets `formula` meets one of the alternatives before `end`.
    private func coverage(of formula: Formula, before end: Int) -> Coverage {
        var candidates: [Int]
        switch search.run([formula]) {
        case .impossible: return .several
        case .undecided:
            for place in 0..<end {
                if pool.budget.isExhausted { return .undecided }
                if search.isImpossibleByForm([formula, formulas[place].negated]) { return .one(place) }
            }
            candidates = Array(0..<min(end, Self.mostTerms))
        case .found(let model):
            candidates = holding(for: model, before: end)
            if candidates.isEmpty { return coveredByNone }
        }
        let first = candidates[..<min(1, candidates.count)]
        var tries = 0
        while let place = candidates.first, tries < Self.mostTerms, !pool.budget.isExhausted {
            tries += 1
            candidates.removeFirst()
            switch search.run([formula, formulas[place].negated]) {
            case .impossible: return .one(place)
            case .undecided: break
            case .found(let model):
                let places = holding(for: model, before: end)
                if places.isEmpty { return coveredByNone }
                let known = Set(places)
                candidates.removeAll { !known.contains($0) }
            }
        }
        return coverage(of: formula, before: end, startingWith: Array(first))
    }

    /// The result if no alternative holds for a visitor: undecided if the budget ran out before all were tried.
    private var coveredByNone: Coverage { pool.budget.isExhausted ? .undecided : .none }

    /// Whether several alternatives cover the formula together. Adds alternatives that hold for visitors whom the
    /// earlier ones leave out.
    private func coverage(of formula: Formula, before end: Int, startingWith first: [Int]) -> Coverage {
        var terms = first
        while terms.count <= Self.mostTerms {
            switch search.run([formula] + terms.map { formulas[$0].negated }) {
            case .impossible: return .several
            case .undecided: return .undecided
            case .found(let model):
                guard let next = holding(for: model, before: end).first else { return coveredByNone }
                if terms.contains(next) { return .undecided }
                terms.append(next)
            }
        }
        return .undecided
    }

    /// The indices before `end` of the alternatives that hold for a found visitor, in order.
    func holding(for model: VisitorSearch.Model, before end: Int) -> [Int] {
        var candidates = Array(others.prefix { $0 < end })
        for (scope, members) in [(Formula.Scope.visitor, model.attributes), (.location, model.locationProperties)] {
            for member in members {
                guard let table = places[Subject(key: member.key, scope: scope)] else { continue }
                let lists = Self.texts(of: member.value)?.compactMap { table[$0] } ?? Array(table.values)
                for list in lists { candidates += list.prefix { $0 < end } }
            }
        }
        pool.budget.spend(candidates.count)
        var answers: [Formula.Proposition: Bool] = [:]
        return Set(candidates).sorted().filter { !pool.budget.isExhausted && holds(formulas[$0], for: model, &answers) }
    }

    /// The texts for looking up a scalar; `nil` for an array or an object.
    private static func texts(of value: JSValue) -> Set<PropertyKey>? {
        if value.arrayValue != nil || value.objectValue != nil { return nil }
        let text = ECMAScript.toString(value)
        // An item of a list may equal a part of the text.
        let forms = [text, ECMAScript.toLowerCase(text)].flatMap { $0.parts(between: "|") + [$0] }
        return Set(forms.map { PropertyKey($0) })
    }

    private func holds(
        _ formula: Formula, for model: VisitorSearch.Model, _ answers: inout [Formula.Proposition: Bool]
    ) -> Bool {
        formula.holds { proposition in
            if let known = answers[proposition] { return known }
            let answer = answer(to: proposition, model)
            answers[proposition] = answer
            return answer
        }
    }

    private func answer(to proposition: Formula.Proposition, _ model: VisitorSearch.Model) -> Bool {
        switch proposition {
        case .condition(let number, let scope):
            let condition = pool[number]
            guard let key = condition.attribute, let value = model[Subject(key: key, scope: scope)] else {
                return condition.holdsForAbsent
            }
            pool.budget.spend(ConditionDomain.trialCost)
            return condition.holds(for: value)
        case .storedDecision(let id): return model.storedDecisions[id] ?? false
        case .bucket(let id, let values): return model.buckets[id].map { $0.intersection(values) == $0 } ?? false
        case .environment(let name): return model.environment.map { PropertyKey($0) } == name
        case .customSegment(let id): return model.customSegments[id] ?? false
        }
    }

    /// The texts that an attribute must equal for the formula to hold; `nil` if it may hold for other values.
    private func admittedTexts(of formula: Formula) -> [(Subject, PropertyKey)]? {
        let clauses = if case .all(let parts) = formula { parts } else { [formula] }
        return clauses.compactMap { clause -> [(Subject, PropertyKey)]? in
            let literals = if case .any(let parts) = clause { parts } else { [clause] }
            var result: [(Subject, PropertyKey)] = []
            for literal in literals {
                guard case .literal(let literal) = literal, literal.isWanted,
                    case .condition(let number, let scope) = literal.proposition,
                    let key = pool[number].attribute, let texts = pool[number].admittedTexts
                else { return nil }
                result += texts.map { (Subject(key: key, scope: scope), PropertyKey($0)) }
            }
            return result
        }.min { $0.count < $1.count }
    }
}
