internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds the shares of visitors whom questions about other experiences let in.
extension DependantComparison {
    /// The shares of the new visitors whom questions about others let in, among the visitors who meet all other
    /// rules; `nil` if attributes decide too. A `nil` experience lets in no visitor.
    func shares(
        from before: ProjectConfig.Experience?, to after: ProjectConfig.Experience?, in environment: String?
    ) -> AdmissionShares? {
        guard let (one, other) = questionParts(before, after) else { return nil }
        return AdmissionShares(from: one, to: other, environment: environment, budget)
    }

    /// The conditions that questions about others let in a new visitor; `nil` if they are not separate from the other
    /// rules.
    func questionParts(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?
    ) -> (old: Formula, new: Formula)? {
        func part(of experience: ProjectConfig.Experience?, _ side: EntranceComparison.Side) -> Formula? {
            guard let experience else { return .fails }
            // Whatever the answers are, no visitor enters.
            if side.entrances.otherRules(of: experience).known == false { return .fails }
            return side.entrances.questionPart(of: experience, stored: .none)
        }
        return part(of: before, old).flatMap { one in part(of: after, new).map { (one, $0) } }
    }

    /// Among the visitors with a stored decision for `before`, the shares that questions about others let in, in a call
    /// after the old config decided them once; `nil` if there are no such questions, or if attributes decide too.
    ///
    /// The variations must have kept their ids.
    func storedShares(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience, in environment: String?
    ) -> AdmissionShares? {
        guard let part = old.entrances.questionPart(of: before, stored: .none),
            let one = old.entrances.questionPart(of: before, stored: .ofFirstCall, isBucketed: true),
            let other = new.entrances.questionPart(of: after, stored: .ofFirstCall, isBucketed: true),
            one != .holds || other != .holds
        else { return nil }
        return AdmissionShares(
            from: one, to: other, of: part && old.entrances.room(of: before), environment: environment, budget)
    }
}
