internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The experiences of a config after a remedy, and the experiences that lose all of their new visitors by it.
struct RemedyTrial {
    /// The result of a trial.
    enum Outcome {
        /// Every experience that new visitors could enter still gets some.
        case safe
        /// Experiences lose all new visitors, unless others are allocated less than all of the traffic.
        case easing(takers: [PropertyKey], losers: [PropertyKey])
        /// Others would leave experiences at most one visitor of a hundred.
        case leavingFew(takers: [PropertyKey], losers: [PropertyKey])
        /// Experiences lose all new visitors, whatever is allocated.
        case losing([PropertyKey])
    }

    /// The maximum number of experiences to examine.
    private static let mostAffected = 64

    private let before: EntryFormulas
    private let search: VisitorSearch
    /// The experiences as the remedy leaves them.
    private(set) var experiences: [ProjectConfig.Experience]

    init(_ entrances: EntryFormulas, _ search: VisitorSearch) {
        before = entrances
        self.search = search
        experiences = entrances.graph.experiences
    }

    /// Moves the experiences at `places` before the experience at `place`, in their order.
    mutating func move(_ places: [Int], before place: Int) {
        let moved = places.map { experiences[$0] }
        for place in places.reversed() { experiences.remove(at: place) }
        experiences.insert(contentsOf: moved, at: place)
    }

    /// Replaces the first experience with the same id.
    mutating func replace(_ experience: ProjectConfig.Experience) {
        guard let place = experiences.firstIndex(where: { $0.id.key == experience.id.key }) else { return }
        experiences[place] = experience
    }

    /// The outcome for `experience` and all experiences that depend on it.
    ///
    /// - Parameter eased: returns an experience with half of its allocations.
    func outcome(
        for experience: ProjectConfig.Experience, eased: (PropertyKey) -> ProjectConfig.Experience?
    ) -> Outcome {
        let after = EntryFormulas(before, replacingExperiencesBy: experiences)
        let ids = affected(by: experience, after)
        let losers = ids.filter { isEntered($0, before) && !isEntered($0, after) }
        if losers.isEmpty {
            let few = ids.filter { leavesFew($0, after) && !leavesFew($0, before) }
            if few.isEmpty { return .safe }
            let found = few.compactMap { after.graph.experience(id: $0) }.flatMap { self.takers(before: $0, after) }
            var known: Set<PropertyKey> = []
            return .leavingFew(takers: found.filter { known.insert($0).inserted }, losers: few)
        }
        var trial = self
        var takers: [PropertyKey] = []
        var starved: [PropertyKey] = []
        for id in losers {
            guard let loser = after.graph.experience(id: id) else { continue }
            let found = takersOfAll(before: loser, after)
            if !found.isEmpty { starved.append(id) }
            for taker in found where !takers.contains(taker) {
                guard let less = eased(taker) else { continue }
                takers.append(taker)
                trial.replace(less)
            }
        }
        let rest = EntryFormulas(before, replacingExperiencesBy: trial.experiences)
        let isEased = !takers.isEmpty && losers.allSatisfy { isEntered($0, rest) }
        return isEased ? .easing(takers: takers, losers: starved) : .losing(losers)
    }

    /// Whether some new visitor gets a variation of the experience.
    func isEntered(_ id: PropertyKey) -> Bool {
        isEntered(id, EntryFormulas(before, replacingExperiencesBy: experiences))
    }

    /// The ids of the experiences that `experience` excludes, that are decided before it and that take visitors.
    private func takers(before experience: ProjectConfig.Experience, _ entrances: EntryFormulas) -> [PropertyKey] {
        entrances.graph.questions(of: experience).filter { question in
            question.keepsOut && question.isDecidedBefore
                && entrances.graph.experience(id: question.id).map { entrances.room(of: $0).known != false } ?? false
        }.map(\.id)
    }

    /// The same experiences, as far as they give all bucket values a variation.
    private func takersOfAll(before experience: ProjectConfig.Experience, _ entrances: EntryFormulas) -> [PropertyKey] {
        takers(before: experience, entrances).filter { id in
            entrances.graph.experience(id: id).map { entrances.room(of: $0).known == true } ?? false
        }
    }

    private func leavesFew(_ id: PropertyKey, _ entrances: EntryFormulas) -> Bool {
        entrances.graph.experience(id: id).map { VisitorsLeft(to: $0, entrances, search) != nil } ?? false
    }

    /// An attribute that is an array or an object may meet conditions that exclude each other otherwise. These are not
    /// counted.
    private func isEntered(_ id: PropertyKey, _ entrances: EntryFormulas) -> Bool {
        guard let experience = entrances.graph.experience(id: id) else { return false }
        let formula = entrances.entry(of: experience, stored: .whereNeeded).formula
        if search.isImpossible([formula], kinds: .noContainers) { return false }
        return entrances.enteredOnes(neededBy: experience, search)?.contains(id) ?? true
    }

    /// The ids of `experience` and of the experiences that ask about it, directly or through others.
    private func affected(by experience: ProjectConfig.Experience, _ entrances: EntryFormulas) -> [PropertyKey] {
        var asking: [PropertyKey: [PropertyKey]] = [:]
        for other in entrances.graph.experiences {
            for question in entrances.graph.questions(of: other) {
                asking[question.id, default: []].append(other.id.key)
            }
        }
        var found = [experience.id.key]
        var known = Set(found)
        var next = 0
        while next < found.count, found.count < Self.mostAffected {
            for id in asking[found[next]] ?? [] where known.insert(id).inserted { found.append(id) }
            next += 1
        }
        return found
    }
}
