internal import ConvertECMAScript

extension ExperienceManager {
    /// Decides every experience, in config order, each knowing the decisions before it. A previewed variation comes last.
    ///
    /// - Returns: one decision per experience. Under ``RuleSemantics/javaScript`` the list ends with the first experience
    ///   on which the reference throws.
    package func selectVariations(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Answer<[Decision]> {
        var decisions: [Decision] = []
        decisions.reserveCapacity(project.experiences.count)
        let effects = forEachConclusion(for: &visitor, options: options) {
            decisions.append(Decision($0, in: project))
        }
        return Answer(decisions, effects: effects)
    }

    /// Decides every experience as ``selectVariations(for:options:)`` does, and passes what each came to to `body`.
    ///
    /// - Returns: what is to be done about all of them.
    @discardableResult
    package func forEachConclusion(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(), _ body: (Conclusion) -> Void
    ) -> [DecisionEffect] {
        visitor.adopt(project)
        let preview = visitor.preview
        var isComplete = true
        let effects = forEachOrdinaryConclusion(
            for: &visitor, options: options, skipping: preview.flatMap(\.replacedExperience)
        ) { conclusion in
            if endsTheCall(conclusion) { isComplete = false }
            body(conclusion)
        }
        if let preview, isComplete { body(.variation(preview.selection)) }
        return effects
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
    ///   - carriers: places of the experiences to decide, as ``FeatureCatalog/carriers(of:)`` has them; `nil` means
    ///     all.
    ///   - keys: keys of the experiences to decide; `nil` means all.
    ///   - skipped: the first experience of those with its key, whose decision is not handed on.
    ///   - body: receives what each experience came to. One that ends the call comes last, even if it is `skipped`.
    /// - Returns: what is to be done about all of them.
    func forEachOrdinaryConclusion(
        for visitor: inout Visitor, options: DecisionOptions, among carriers: TableRange? = nil,
        keys: Set<PropertyKey>? = nil, skipping skipped: Int? = nil, _ body: (Conclusion) -> Void
    ) -> [DecisionEffect] {
        visitor.adopt(project)
        return withCall(options, for: &visitor, identifiesByID: false, SilentObserver()) { call in
            sweepAudiences(forDecisions: carriers?.count ?? keys?.count ?? project.experiences.count, &call)
            for place in carriers?.indices ?? project.experiences.indices {
                let index = carriers == nil ? place : project.features.carrier(at: place)
                if !isAmong(keys, index) { continue }
                // The reference walks the keys and looks each one up again, which finds the first of several.
                let first = project.experiences[index].keyOwner
                let conclusion = nextConclusion(of: first, options, &call)
                let isLast = endsTheCall(conclusion)
                if first != skipped || isLast { body(conclusion) }
                if isLast { break }
            }
        }.effects
    }

    /// Whether the reference throws, so that nothing behind it is decided.
    @inline(__always)
    private func endsTheCall(_ conclusion: Conclusion) -> Bool {
        guard case .none(let reason) = conclusion else { return false }
        return reason.isThrownByReference && project.options.semantics.throwsOnMalformedRules
    }

    /// Finds the verdicts of all audiences at once, where that takes less time than a walk for each experience.
    private func sweepAudiences(forDecisions count: Int, _ call: inout DecisionCall<SilentObserver>) {
        guard call.goesByContext, project.rules.isWorthSweeping(forDecisions: count),
            !call.visitor.resolved.hasSweptVerdicts
        else { return }
        project.rules.sweep(&call.visitor.resolved, &call.budget, project.ruleSets.audiences.count) { index in
            if case .rules(let rules) = project.ruleSets.audiences[index].test { rules } else { nil }
        }
    }

    /// What one experience of several came to.
    // Inlining pays off only where a decision is the whole call (W1).
    @inline(never)
    private func nextConclusion(
        of experience: Int, _ options: DecisionOptions, _ call: inout DecisionCall<SilentObserver>
    ) -> Conclusion {
        conclusion(of: experience, options, &call)
    }
}
