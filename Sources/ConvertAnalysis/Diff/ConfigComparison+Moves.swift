internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds the shares of an experience's visitors who get another variation.
extension ConfigComparison {
    /// The shares of visitors who get another variation.
    struct Movement {
        var moves = BucketMoves.none
        /// The environment of the visitors, in which the largest share moves; `nil` if the share is the same in all
        /// environments that the experience runs in.
        var environment: String?
        /// The shares of visitors whom questions about other experiences let in; `nil` if there are no such questions,
        /// or if attributes decide too.
        var shares: AdmissionShares?
        /// Whether `moves` are shares of the visitors whom other experiences let in, because it is unknown how many
        /// these are.
        var isOfAdmitted = false
        /// Whether `moves` count all visitors who enter or leave.
        var isComplete = false
        /// Whether it is proven that no visitor can enter, before or after.
        var isClosed = false
    }

    /// The maximum number of environments to compare.
    private static let mostEnvironments = 20

    /// The versions of an experience that run in an environment.
    private struct Place {
        let before: ProjectConfig.Experience?
        let after: ProjectConfig.Experience?
        let environment: String?
        /// Whether the experience's versions run in different environments.
        let isMoved: Bool

        /// Whether one of two versions does not run in the environment.
        var isPart: Bool { isMoved && (before == nil || after == nil) }
    }

    /// The moves of new visitors.
    ///
    /// - Parameter areApart: whether all new visitors leave who got a variation.
    func newcomers(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?, _ admission: Admission, areApart: Bool
    ) -> Movement {
        // An added experience may not let in any visitor.
        if before == nil, admission.dependence?.newVisitors == .equivalent { return Movement(isClosed: true) }
        var result = largest(before, after, isLeaving: areApart) { place in
            let own = BucketMoves(from: place.before, to: place.after, under: semantics)
            let (shares, isKnown) = shares(at: place, admission, isNeeded: areApart || own.moved > 0)
            return Movement(
                moves: moves(own, place, shares, leavesAll: areApart, isStored: false), shares: shares,
                isOfAdmitted: !isKnown, isComplete: areApart || place.isPart)
        }
        if result.moves.moved > 0 || admission.audience.change != .equivalent,
            before.map({ isClosed(oldEntrances.passage(of: $0, stored: .whereNeeded)) }) ?? true,
            after.map({ isClosed(newEntrances.passage(of: $0, stored: .whereNeeded)) }) ?? true
        {
            result = Movement(isClosed: true)
        }
        return result
    }

    /// The shares of new visitors whom questions about other experiences let in, if these decide; and whether it is
    /// known how many visitors they let in.
    private func shares(
        at place: Place, _ admission: Admission, isNeeded: Bool
    ) -> (shares: AdmissionShares?, isKnown: Bool) {
        if !place.isMoved, let known = admission.dependence?.shares { return (known, true) }
        guard let parts = dependants.questionParts(place.before, place.after) else { return (nil, false) }
        let isSame = parts.old == parts.new
        if isSame, !isNeeded { return (nil, true) }
        let isPlain = parts.old.known != nil && parts.new.known != nil
        if isPlain, isSame || place.before == nil || place.after == nil {
            return (nil, parts.old == .holds || parts.new == .holds)
        }
        let found = dependants.shares(from: place.before, to: place.after, in: place.environment)
        // Visitors of later experiences may enter when they return.
        guard let found, found.before > 0 || found.after > 0 else { return (nil, false) }
        return (found, true)
    }

    /// The moves of visitors with a stored decision.
    func returning(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?, _ admission: Admission,
        losesDecisions: Bool
    ) -> Movement {
        let isKept = !losesDecisions && before?.id.key == after?.id.key
        let leavesAll =
            leavesAll(before, after, isStored: true, losesDecisions: losesDecisions)
            && (admission.storedShares == nil || haveNoCommonRules(before, after))
        return largest(before, after, isLeaving: true) { place in
            let own = BucketMoves(from: place.before, to: place.after, under: semantics, isStored: true)
            var shares = place.isMoved ? nil : admission.storedShares
            if shares == nil, let first = place.before, let second = place.after {
                shares =
                    isKept && (own.moved > 0 || asksOtherwise(first, second))
                    ? dependants.storedShares(from: first, to: second, in: place.environment)
                    : own.moved > 0 ? dependants.storedAdmission(from: first, to: second) : nil
            }
            let moves = moves(own, place, shares, leavesAll: leavesAll, isStored: true)
            return Movement(moves: moves, shares: shares, isComplete: leavesAll || place.isPart)
        }
    }

    /// Whether only questions about other experiences decide whom the new version lets in, and these questions change.
    func hasNewShares(_ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?) -> Bool {
        guard let before, let after, before.hasSameEnvironment(as: after), asksOtherwise(before, after) else {
            return false
        }
        return dependants.shares(from: before, to: after, in: after.environmentName) != nil
    }

    /// Whether the questions about other experiences change.
    func asksOtherwise(_ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience) -> Bool {
        let (first, second) = (oldEntrances.graph.questions(of: before), newEntrances.graph.questions(of: after))
        return first.count != second.count
            || first.contains { was in
                second[was.id].map { $0.keepsOut != was.keepsOut || $0.letsIn != was.letsIn } ?? true
            } || before.audienceMatching != after.audienceMatching
    }

    /// The movement in the environment in which the largest share moves.
    ///
    /// - Parameter isLeaving: whether to consider only environments that the old version runs in.
    private func largest(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?, isLeaving: Bool,
        _ movement: (Place) -> Movement
    ) -> Movement {
        let isMoved = before.flatMap { before in after.map { !before.hasSameEnvironment(as: $0) } } ?? false
        let own = [before, after].compactMap { $0?.environmentName }
        var names: [String?] = [isMoved ? nil : own.first]
        if isMoved {
            names = Array((own + entrances.environments).uniqueNames.prefix(Self.mostEnvironments))
        } else if own.isEmpty, let parts = dependants.questionParts(before, after),
            parts.old.mentionsEnvironments || parts.new.mentionsEnvironments
        {
            names = Array(entrances.environments.prefix(Self.mostEnvironments))
        }
        let places = names.map { name in
            Place(
                before: isMoved ? before.flatMap { old.runs($0, in: name) ? $0 : nil } : before,
                after: isMoved ? after.flatMap { new.runs($0, in: name) ? $0 : nil } : after, environment: name,
                isMoved: isMoved)
        }
        let found = places.filter { !isMoved || $0.before != nil || !isLeaving && $0.after != nil }.map { place in
            var found = movement(place)
            found.environment = place.environment
            return found
        }
        guard var result = found.first else { return Movement() }
        for other in found.dropFirst() where other.moves.moved > result.moves.moved { result = other }
        if !isMoved, found.allSatisfy({ $0.moves == result.moves }) { result.environment = nil }
        return result
    }

    /// The moves of new visitors, or of visitors with a stored decision, if other experiences decide whether they
    /// enter.
    ///
    /// - Parameter leavesAll: whether all visitors leave who were let in.
    private func moves(
        _ own: BucketMoves, _ place: Place, _ shares: AdmissionShares?, leavesAll: Bool, isStored: Bool
    ) -> BucketMoves {
        let leaving = BucketMoves(from: place.before, to: nil, under: semantics, isStored: isStored)
        if leavesAll { return .sum([(shares?.before ?? 1, leaving)]) }
        guard let shares else { return own }
        let entering =
            isStored ? leaving.reversed : BucketMoves(from: nil, to: place.after, under: semantics)
        return .sum([(shares.before - shares.left, own), (shares.entered, entering), (shares.left, leaving)])
    }

    /// Whether further new visitors enter or leave, a share of whom is unknown.
    func isShareUnknown(
        of movement: Movement, _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?,
        _ admission: Admission
    ) -> Bool {
        guard let before, let after, !movement.isComplete, !movement.isClosed else { return false }
        if oldEntrances.room(of: before) == .fails, newEntrances.room(of: after) == .fails { return false }
        if movement.shares == nil, let dependence = admission.dependence, dependence.newVisitors != .equivalent {
            return true
        }
        if admission.audience.change == .equivalent { return false }
        return movement.shares == nil || !haveSameRules(before, after, isBucketed: false)
    }

    /// Whether further visitors with a stored decision enter or leave, a share of whom is unknown.
    func isShareUnknown(
        ofStored movement: Movement, _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?,
        _ admission: Admission
    ) -> Bool {
        guard let before, let after, !movement.isComplete, admission.storedAudience.change != .equivalent else {
            return false
        }
        let areKnown = movement.shares != nil || admission.areStoredSharesKnown
        return !areKnown || !haveSameRules(before, after, isBucketed: true)
    }

    /// Whether both versions let in the same visitors, apart from questions about other experiences.
    private func haveSameRules(
        _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience, isBucketed: Bool
    ) -> Bool {
        let first = oldEntrances.otherGates(of: before, isBucketed: isBucketed)
        let second = newEntrances.otherGates(of: after, isBucketed: isBucketed)
        let search = entrances.search
        return first == second
            || search.isImpossible([first, second.negated]) && search.isImpossible([second, first.negated])
    }
}

extension Formula {
    fileprivate var mentionsEnvironments: Bool {
        literals.contains { if case .environment = $0.proposition { true } else { false } }
    }
}

extension ConfigDifference.Experience {
    /// Stores which visitors the shares of `newcomers` are about.
    mutating func describe(_ newcomers: ConfigComparison.Movement) {
        basis.environment = newcomers.environment
        basis.isOfAdmitted = newcomers.isOfAdmitted
        guard let shares = newcomers.shares else { return }
        (basis.admittedBefore, basis.admittedAfter) = (shares.before, shares.after)
    }
}
