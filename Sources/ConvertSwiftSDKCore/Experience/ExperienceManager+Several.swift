internal import ConvertECMAScript

extension ExperienceManager {
    /// Decides every experience, in config order, each knowing the decisions before it.
    ///
    /// - Returns: one decision per experience. Under ``RuleSemantics/javaScript`` the list ends with the first experience
    ///   on which the reference throws.
    package func selectVariations(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> [Decision] {
        var decisions: [Decision] = []
        decisions.reserveCapacity(project.experiences.count)
        forEachDecision(for: &visitor, options: options) { decisions.append($0) }
        return decisions
    }

    /// Decides every experience and hands each decision to `body`, without a list of them. A previewed variation comes
    /// last.
    package func forEachDecision(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(), _ body: (Decision) -> Void
    ) {
        visitor.adopt(project)
        let preview = visitor.preview
        let isComplete = forEachOrdinaryDecision(
            for: &visitor, options: options, skipping: preview.flatMap(\.replacedExperience)
        ) { conclusion, effects in
            // Two calls, since effects that may be none would be counted for each experience (W2).
            if let effects { body(decision(conclusion, effects)) } else { body(decision(conclusion)) }
        }
        if let preview, isComplete { body(preview.decision) }
    }

    /// Whether the experience at `index` has one of `keys`; `nil` means all.
    @inline(__always)
    func isAmong(_ keys: Set<PropertyKey>?, _ index: Int) -> Bool {
        keys.map { isFound(in: $0, index) } ?? true
    }

    private func isFound(in keys: Set<PropertyKey>, _ index: Int) -> Bool {
        let key = project.model(index).entityKey
        return key.isText && keys.contains(key.lookUp)
    }

    /// Decides experiences without regard to what the visitor previews.
    ///
    /// - Parameters:
    ///   - carriers: places of the experiences to decide, as ``Project/carriers(ofFeature:)`` has them; `nil` means
    ///     all.
    ///   - keys: keys of the experiences to decide; `nil` means all.
    ///   - skipped: the first experience of those with its key, whose decision is not handed on.
    ///   - body: receives what comes of each experience, and the effects if there are any.
    /// - Returns: whether every experience was decided.
    @discardableResult
    func forEachOrdinaryDecision(
        for visitor: inout Visitor, options: DecisionOptions, among carriers: TableRange? = nil,
        keys: Set<PropertyKey>? = nil,
        skipping skipped: Int? = nil, _ body: (Conclusion, [DecisionEffect]?) -> Void
    ) -> Bool {
        visitor.adopt(project)
        var call = call(options, for: &visitor, identifiesByID: false)
        let asked = carriers?.count ?? keys?.count ?? project.experiences.count
        sweepAudiences(for: &visitor, asked: asked, &call)
        for place in carriers?.indices ?? project.experiences.indices {
            let index = carriers == nil ? place : project.carrier(at: place)
            if !isAmong(keys, index) { continue }
            // The reference walks the keys and looks each one up again, which finds the first of several.
            let first = project.experiences[index].keyOwner
            let conclusion = concludeNext(first, &visitor, &call)
            let effects = call.takeEffects()
            guard case .none(let reason) = conclusion else {
                if first != skipped { body(conclusion, effects) }
                continue
            }
            let endsTheCall = reason.isThrownByReference && project.options.semantics.letsErrorsEndTheCall
            // What ends the call is told even of an experience that is not asked for.
            if first != skipped || endsTheCall { body(conclusion, effects) }
            if endsTheCall { return false }
        }
        return true
    }

    /// Finds the verdicts of all audiences at once, where that takes less time than a walk for each experience.
    ///
    /// - Parameter count: how many experiences are to be decided.
    private func sweepAudiences(for visitor: inout Visitor, asked count: Int, _ call: inout DecisionCall) {
        guard call.goesByContext, project.rules.isWorthSweeping(forDecisions: count),
            !visitor.resolved.hasSweptVerdicts
        else { return }
        project.rules.sweep(&visitor.resolved, &call.budget, project.audiences.count) { index in
            if case .rules(let rules) = project.audiences[index].test { rules } else { nil }
        }
    }

    /// Decides one experience of several.
    // Inlining pays off only where a decision is the whole call (W1).
    @inline(never)
    private func concludeNext(
        _ experience: Int?, _ visitor: inout Visitor, _ call: inout DecisionCall
    ) -> Conclusion {
        conclude(experience, &visitor, &call)
    }
}
