internal import ConvertECMAScript

extension ExperienceManager {
    /// Decides all experiences in config order. Each decision takes the earlier decisions into account. A previewed
    /// variation is last in the list.
    ///
    /// - Returns: one decision per experience. Under ``RuleSemantics/javaScript`` the list ends with the first
    ///   experience on which the reference throws.
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

    /// The decisions of ``selectVariations(for:options:)`` by their experiences' indexes in the config.
    ///
    /// A previewed variation is at the indexes of all experiences with its key. `nil` follows malformed rules that end
    /// the call.
    package func byPlace(_ decisions: [Decision], for visitor: borrowing Visitor) -> [Decision?] {
        let replaced = visitor.preview.flatMap(\.replacedExperience)
        let isReplaced = project.experiences.indices.map { project.experiences[$0].keyOwner == replaced }
        var others = decisions.prefix(isReplaced.count { !$0 }).makeIterator()
        let previewed = decisions.count > isReplaced.count { !$0 } ? decisions.last : nil
        return isReplaced.map { $0 ? previewed : others.next() }
    }

    /// Decides all experiences like ``selectVariations(for:options:)``, and passes each conclusion to `body`.
    ///
    /// - Returns: the effects of all decisions.
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

    /// Whether the key of the experience at `index` is in `keys`; `nil` means all keys.
    @inline(__always)
    func isAmong(_ keys: Set<PropertyKey>?, _ index: Int) -> Bool {
        guard let keys else { return true }
        return project.model(index).entityKey.isText && keys.contains(project.model(index).entityKey.lookUp)
    }

    /// Decides experiences and ignores the visitor's preview.
    ///
    /// - Parameters:
    ///   - carriers: indices of the experiences to decide; `nil` means all experiences.
    ///   - keys: keys of the experiences to decide; `nil` means all.
    ///   - skipped: index of an experience whose conclusion is not passed to `body`. It must be the first experience
    ///     with its key.
    ///   - body: receives each conclusion. A conclusion that ends the call comes last, even if it is `skipped`.
    /// - Returns: the effects of all decisions.
    func forEachOrdinaryConclusion(
        for visitor: inout Visitor, options: DecisionOptions, among carriers: [Int32]? = nil,
        keys: Set<PropertyKey>? = nil, skipping skipped: Int? = nil, _ body: (Conclusion) -> Void
    ) -> [DecisionEffect] {
        visitor.adopt(project)
        return withCall(options, for: &visitor, identifiesByID: false, SilentObserver()) { call in
            sweepAudiences(forDecisions: carriers?.count ?? keys?.count ?? project.experiences.count, &call)
            for place in 0..<(carriers?.count ?? project.experiences.count) {
                let index = carriers.map { Int($0[place]) } ?? place
                if !isAmong(keys, index) { continue }
                // The reference looks up each experience again by its key, and so finds the first experience with the
                // key.
                let first = project.experiences[index].keyOwner
                let conclusion = nextConclusion(of: first, options, &call)
                let isLast = endsTheCall(conclusion)
                if first != skipped || isLast { body(conclusion) }
                if isLast { break }
            }
        }.effects
    }

    /// Whether the reference throws here, so that no later experience is decided.
    @inline(__always)
    private func endsTheCall(_ conclusion: Conclusion) -> Bool {
        guard case .none(let reason) = conclusion else { return false }
        return reason.isThrownByReference && project.options.semantics.throwsOnMalformedRules
    }

    /// Computes the verdicts of all audiences at once, if that is faster than evaluating them for each experience.
    private func sweepAudiences(forDecisions count: Int, _ call: inout DecisionCall<SilentObserver>) {
        let visitor = call.visitor
        guard call.goesByContext, project.rules.isWorthSweeping(forDecisions: count),
            !visitor.value.resolved.hasSweptVerdicts
        else { return }
        project.rules.sweep(&visitor.value.resolved, &call.budget, project.ruleSets.audiences.count) { index in
            if case .rules(let rules) = project.ruleSets.audiences[index].test { rules } else { nil }
        }
    }

    /// The conclusion of one experience in a call for several.
    // Keep it out of line: inlining pays off only in a call for a single decision (W1).
    @inline(never)
    private func nextConclusion(
        of experience: Int, _ options: DecisionOptions, _ call: inout DecisionCall<SilentObserver>
    ) -> Conclusion {
        conclusion(of: experience, options, &call)
    }
}
