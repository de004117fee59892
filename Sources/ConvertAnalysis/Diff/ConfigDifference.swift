/// What changes for visitors between two versions of a config.
public struct ConfigDifference: Sendable, Equatable {
    /// What became of an experience.
    public enum Change: String, Sendable, CaseIterable {
        case none, changed, added, removed, archived, restored, renamed
    }

    /// How the visitors whom an experience lets in have changed.
    public enum AudienceChange: String, Sendable, CaseIterable {
        /// They are the same, which is proven.
        case equivalent
        /// Some visitors are no longer let in.
        case narrower
        /// Some visitors are newly let in.
        case wider
        /// Both.
        case changed
        /// That could not be decided.
        case undecided
    }

    /// A share of the visitors who get another variation; `nil` stands for no variation.
    public struct Move: Sendable, Equatable {
        /// The variation's key, or its id if it has none.
        public let from: String?
        /// The same of the variation afterwards.
        public let to: String?
        /// From 0 to 1.
        public let share: Double
    }

    /// What a population's visitors get.
    public struct Population: Sendable, Equatable {
        /// A number of visitors who get another variation; `nil` stands for no variation.
        public struct Move: Sendable, Equatable {
            /// The key of the variation before, or its id if it has none.
            public let from: String?
            /// The same of the variation afterwards.
            public let to: String?
            /// How many visitors.
            public let count: Int
        }

        /// Visitors who get something else than before.
        public let moved: Int
        /// Visitors who keep their variation though the experience ended; `nil` if it did not end.
        public let kept: Int?
        /// From which variation to which.
        public let moves: [Move]
        /// Visitors of a log of whom that cannot be known, because their lines withhold what decides it. They are not
        /// among ``moved``.
        public let unknowable: Int
    }

    /// What changes in one experience.
    public struct Experience: Sendable, Equatable {
        /// The key, that of the new config if it has one.
        public let key: String
        /// The key in the old config, if it is another one.
        public let oldKey: String?
        /// What became of it.
        public internal(set) var change: Change
        /// The environments before and after, if they differ; empty is any.
        public let environments: [String]?
        /// The environment that it runs in now, if the project does not have it: no visitor is let in there.
        public internal(set) var unknownEnvironment: String?
        /// Which share of the bucket values gets another variation, or none, from 0 to 1: that of new visitors who pass
        /// the rules.
        public let moved: Double
        /// From which variation to which, the largest share first, at most 1,000.
        public let moves: [Move]
        /// Which share of the visitors whose decision is stored gets another variation.
        public let storedMoved: Double
        /// From which variation to which they move.
        public let storedMoves: [Move]
        /// How the visitors that it lets in change, by audiences, segments, locations and site area.
        public let audience: AudienceChange
        /// A visitor who is let in and was not.
        public let enters: PopulationVisitor?
        /// A visitor who was let in and is not.
        public let leaves: PopulationVisitor?
        /// The same of visitors with a stored decision. Permanent audiences are not checked for them any more.
        public let storedAudience: AudienceChange
        /// A visitor with a stored decision who is let in and was not.
        public let storedEnters: PopulationVisitor?
        /// A visitor with a stored decision who was let in and is not.
        public let storedLeaves: PopulationVisitor?
        /// The environment in which ``enters`` shows it; `nil` if it is no matter.
        public internal(set) var entersEnvironment: String?
        /// The environment in which ``leaves`` shows it; `nil` if it is no matter.
        public internal(set) var leavesEnvironment: String?
        /// The environment in which ``storedEnters`` shows it; `nil` if it is no matter.
        public internal(set) var storedEntersEnvironment: String?
        /// The environment in which ``storedLeaves`` shows it; `nil` if it is no matter.
        public internal(set) var storedLeavesEnvironment: String?
        /// Keys of experiences that its audiences ask about and that a call for all experiences decides before it now
        /// and decided after it, or the other way round: the same visitors are let in by one order, and not by the
        /// other.
        public let reordered: [String]
        /// What changes because of the experiences that its audiences ask about; `nil` if nothing does.
        public internal(set) var dependence: Dependence?
        /// Variations that have another key than before. Their visitors keep them.
        public internal(set) var renamedVariations: [Renaming] = []
        /// Variations whose stored decisions count no more, because none has their ids.
        public internal(set) var lostDecisions: [LostDecisions] = []
        /// What becomes of an experiment that was running; `nil` if nothing changes for it, or it was no experiment.
        public internal(set) var disturbance: Disturbance?
        /// Whether no new visitor who got a variation gets one any more, because of rules, of others, or of the
        /// environment.
        var leavesAllNewVisitors = false
        /// What the visitors of a population get, if there is one.
        public internal(set) var population: Population?

        /// Whether somebody gets another answer.
        public var changesAnswers: Bool {
            change != .none && change != .changed || environments != nil || moved > 0 || storedMoved > 0
                || audience != .equivalent || storedAudience != .equivalent || !reordered.isEmpty
                || dependence != nil || !renamedVariations.isEmpty || !lostDecisions.isEmpty
                || disturbance == .treatment
                || (population?.moved ?? 0) > 0
        }

        /// What ``environments`` calls that it runs in none.
        package static let nowhere = "(none)"

        /// Whether a visitor is newly let in, or may be: by rules, by others, or in another environment. Of a
        /// population, visitors count whom a variation gets though its bucket values are those of before.
        public var isEntered: Bool {
            !Set([.equivalent, .narrower]).isSuperset(of: changes)
                || environments.map { !$0[0].isEmpty && $0[1] != Self.nowhere && unknownEnvironment == nil } ?? false
                || population?.moves.contains { $0.from == nil } ?? false && !moves.contains { $0.from == nil }
        }

        /// Whether a visitor who was let in is not, or may be not.
        public var isLeft: Bool {
            change == .removed || change == .archived || !Set([.equivalent, .wider]).isSuperset(of: changes)
                || environments.map { !$0[1].isEmpty && $0[0] != Self.nowhere } ?? false
                || population?.moves.contains { $0.to == nil } ?? false
                    && !(moves + storedMoves).contains { $0.to == nil }
        }

        /// Whether something about it was not decided.
        public var isUndecided: Bool { changes.contains(.undecided) }

        private var changes: Set<AudienceChange> {
            Set([audience, storedAudience] + (dependence.map { [$0.change] } ?? []))
        }
    }

    /// What changes in an experience because others change that its audiences ask about, in a call for all experiences.
    public struct Dependence: Sendable, Equatable {
        /// Keys of the experiences that it is changed by, those that it asks about itself first.
        public let dependsOn: [String]
        /// How the visitors that it lets in change, by these and by what changes in its own rules: new visitors, and
        /// visitors with decisions that are stored for the others.
        public let change: AudienceChange
        /// How the new ones of them change, of whom nothing is stored.
        public let newVisitors: AudienceChange
        /// Whether its own rules change too.
        public let hasOwnEdits: Bool
        /// The share of the new visitors who meet its own rules that it let in, from 0 to 1; `nil` if attributes decide
        /// it too.
        public let admittedBefore: Double?
        /// The same share now.
        public let admittedAfter: Double?
        /// A visitor who is let in and was not.
        public let enters: PopulationVisitor?
        /// A visitor who was let in and is not.
        public let leaves: PopulationVisitor?
        /// The environment in which the visitor who enters does; `nil` if it is no matter.
        public let entersEnvironment: String?
        /// The environment in which the visitor who leaves was let in.
        public let leavesEnvironment: String?
    }

    /// A variation whose stored decisions count no more: its visitors are dealt a variation again. They may get another
    /// one, because they may have got theirs under another allocation.
    public struct LostDecisions: Sendable, Equatable {
        /// The variation's key, or its id if it has none.
        public let variation: String
        /// The id under which decisions are stored.
        public let id: String
        /// The id that the variation with this key has now; `nil` if no variation has the key.
        public let newID: String?
    }

    /// A key that became another one.
    public struct Renaming: Sendable, Equatable {
        /// The key, or the id, before.
        public let from: String
        /// The same now.
        public let to: String
    }

    /// What becomes of an experiment that was running, with two variations or more that got visitors.
    public enum Disturbance: String, Sendable, CaseIterable {
        /// It ends where it ran: no new visitor is let in any more.
        case ended
        /// Its visitors are shared otherwise, so that their ratio over the time before and after agrees with neither
        /// config.
        case sampleRatio
        /// A variation carries other features, or other variables: what was measured before and after is not of one
        /// experiment.
        case treatment
        /// It lets in other visitors than before, shared as before.
        case population
        /// Visitors without a stored decision get another variation, or may get one because theirs is lost. It lets in
        /// the same visitors, shared as before.
        case assignment
        /// Calls by the old key get nothing.
        case renamed
    }

    /// A goal whose key is gone. Conversions that are tracked by it count no more.
    public struct Goal: Sendable, Equatable {
        /// The key before.
        public let oldKey: String
        /// The key that the goal has now; `nil` if it is gone.
        public let key: String?
    }

    /// The experiences of both configs, in the order of the new one, then those that are gone.
    public internal(set) var experiences: [Experience]

    /// The features that changed.
    public internal(set) var features: [Feature]

    /// The goals whose keys are gone.
    public internal(set) var goals: [Goal] = []

    /// Visitors of the population.
    public internal(set) var visitorCount: Int?

    /// The environment that they are decided in; `nil` if the lines of a log name their own.
    public internal(set) var visitorEnvironment: String?

    /// Of how many visitors of a log one was counted, where there were too many to keep all: the counts of visitors are
    /// estimates then; `nil` if they are exact.
    public internal(set) var sampledOneIn: Int?

    /// The experiments that were running and are disturbed, in the order of ``experiences``.
    public var disturbed: [Experience] { experiences.filter { $0.disturbance != nil } }

    /// What a release manager must know first, in a sentence or two.
    public var headline: String {
        func names(_ disturbances: Disturbance...) -> String {
            experiences.filter { $0.disturbance.map(disturbances.contains) ?? false }.map(\.key)
                .joined(separator: ", ")
        }
        var sentences = [
            disturbed.isEmpty
                ? "No running experiment is disturbed."
                : "\(disturbed.count) running experiment\(disturbed.count == 1 ? " is" : "s are") disturbed."
        ]
        let (broken, others) = (names(.sampleRatio), names(.population))
        if !broken.isEmpty {
            sentences.append(
                "Expect the sample ratio to break in \(broken): count only visitors who come after the release.")
        }
        if !names(.treatment).isEmpty {
            sentences.append(
                "Variations carry other features or variables in \(names(.treatment)): do not pool data from before "
                    + "and after the release.")
        }
        if !others.isEmpty { sentences.append("Other visitors than before are let into \(others).") }
        let assigned = experiences.filter { $0.disturbance == .assignment && $0.moved > 0 }.map(\.key)
        if !assigned.isEmpty {
            sentences.append(
                "Visitors without a stored decision get another variation in \(assigned.joined(separator: ", ")).")
        }
        let lost = experiences.filter { !$0.lostDecisions.isEmpty }.map(\.key)
        if !lost.isEmpty { sentences.append("Stored decisions are lost in \(lost.joined(separator: ", ")).") }
        let ended = experiences.filter { $0.disturbance == .ended }.map { $0.key + ($0.keepersNote ?? "") }
        if !ended.isEmpty { sentences.append("Ended: \(ended.joined(separator: ", ")).") }
        let oldKeys = experiences.compactMap(\.oldKey) + features.compactMap { $0.lostKey.map { "feature \($0)" } }
        if !oldKeys.isEmpty {
            sentences.append("Calls by the old key get nothing: \(oldKeys.joined(separator: ", ")).")
        }
        if !goals.isEmpty {
            sentences.append("Goals no longer count by their keys: \(goals.map(\.oldKey).joined(separator: ", ")).")
        }
        return sentences.joined(separator: " ")
    }

    /// Whether somebody gets another answer, or may get one.
    public var changesAnswers: Bool {
        !features.isEmpty || !goals.isEmpty || experiences.contains { $0.changesAnswers }
    }
}
