internal import ConvertECMAScript

/// The changes for visitors between two versions of a config.
public struct ConfigDifference: Sendable, Equatable {
    /// The kind of change of an experience or a feature.
    public enum Change: String, Sendable, CaseIterable {
        case none, changed, added, removed, archived, restored, renamed
        /// Calls by the key now find another experience, which comes first in the config.
        case shadowed
        /// Calls by the key find the experience again.
        case unshadowed
    }

    /// The change of the set of visitors that an experience lets in.
    public enum AudienceChange: String, Sendable, CaseIterable {
        /// The same visitors; this is proven.
        case equivalent
        /// Some visitors are no longer let in.
        case narrower
        /// Some visitors are newly let in.
        case wider
        /// Some visitors are newly let in, and some no longer.
        case changed
        /// The analysis could not decide whether the set changes.
        case undecided
    }

    /// A share of the visitors who move from one variation to another; `nil` stands for no variation.
    public struct Move: Sendable, Equatable {
        /// The key of the old variation, or its id if it has no key.
        public let from: String?
        /// The key of the new variation, or its id if it has no key.
        public let to: String?
        /// The share, from 0 to 1.
        public let share: Double
    }

    /// The effect on a population's visitors.
    public struct Population: Sendable, Equatable {
        /// A number of visitors who move from one variation to another; `nil` stands for no variation.
        public struct Move: Sendable, Equatable {
            /// The key of the old variation, or its id if it has no key.
            public let from: String?
            /// The key of the new variation, or its id if it has no key.
            public let to: String?
            /// The number of visitors.
            public let count: Int
        }

        /// The number of visitors whose result changes.
        public let moved: Int
        /// The number of visitors who keep their variation although the experience ended; `nil` if it did not end.
        public let kept: Int?
        /// The moves between variations.
        public let moves: [Move]
        /// The number of a log's visitors whose change cannot be determined, because their lines withhold data that
        /// decides it. They are not counted in ``moved``.
        public let unknowable: Int
    }

    /// The changes in one experience.
    public struct Experience: Sendable, Equatable {
        /// The key in the new config, or in the old one if the experience was removed. The id if it has no key.
        public let key: String
        /// The key in the old config, if it changed.
        public let oldKey: String?
        /// The id in the old config; `nil` if the experience was added.
        var oldID: PropertyKey?
        /// The id in the new config; `nil` if the experience was removed.
        var newID: PropertyKey?
        /// The kind of change.
        public internal(set) var change: Change
        /// The ids before and after, if they differ. Decisions are stored by the id, so all stored ones are lost.
        public internal(set) var ids: [String]?
        /// The id of the experience that calls find by the key, if the key's look-up changes: the other experience
        /// that shadows this one now, or that did before.
        public internal(set) var shadowingID: String?
        /// The environments before and after, if they differ; an empty text stands for all environments.
        public let environments: [String]?
        /// The environment that the experience runs in now, if the project does not have it: no visitor can enter
        /// there.
        public internal(set) var unknownEnvironment: String?
        /// The share of new visitors who get another variation, get one newly, or get none any more, from 0 to 1. It is
        /// a share of the visitors who meet the experience's rules, apart from rules about other experiences,
        /// unless ``basis`` says otherwise. If rules about attributes change, it counts visitors who meet the rules
        /// before and after.
        public let moved: Double
        /// The moves between variations, the largest share first, at most 1,000.
        public let moves: [Move]
        /// The share of visitors with a stored decision who get another variation, or none any more.
        public let storedMoved: Double
        /// The moves of visitors with a stored decision.
        public let storedMoves: [Move]
        /// The change of the set of visitors that audiences, segments, locations and the site area let in.
        public let audience: AudienceChange
        /// A visitor who is let in now and was not before.
        public let enters: PopulationVisitor?
        /// A visitor who was let in before and is not now.
        public let leaves: PopulationVisitor?
        /// The change for visitors with a stored decision, for whom permanent audiences are no longer checked.
        public let storedAudience: AudienceChange
        /// A visitor with a stored decision who is let in now and was not before.
        public let storedEnters: PopulationVisitor?
        /// A visitor with a stored decision who was let in before and is not now.
        public let storedLeaves: PopulationVisitor?
        /// The environment in which ``enters`` is let in; `nil` if the environment does not matter.
        public internal(set) var entersEnvironment: String?
        /// The environment in which ``leaves`` was let in; `nil` if the environment does not matter.
        public internal(set) var leavesEnvironment: String?
        /// The environment in which ``storedEnters`` is let in; `nil` if the environment does not matter.
        public internal(set) var storedEntersEnvironment: String?
        /// The environment in which ``storedLeaves`` was let in; `nil` if the environment does not matter.
        public internal(set) var storedLeavesEnvironment: String?
        /// Keys of experiences that the audiences ask about, and that a call for all experiences now decides before
        /// this experience instead of after it, or the reverse. This order affects who is let in.
        public let reordered: [String]
        /// The changes caused by experiences that the audiences ask about; `nil` if they cause no change.
        public internal(set) var dependence: Dependence?
        /// Variations whose key changed. Their visitors keep them.
        public internal(set) var renamedVariations: [Renaming] = []
        /// Variations whose stored decisions are lost, because no variation has their ids now.
        public internal(set) var lostDecisions: [LostDecisions] = []
        /// The moves of visitors with a stored decision for a variation that no new visitor got. Their number is
        /// unknown, so ``storedMoves`` does not include them.
        public internal(set) var undealtMoves: [UndealtMove] = []
        /// The disturbance of a running experiment; `nil` if the experience was not a running experiment, or is not
        /// disturbed.
        public internal(set) var disturbance: Disturbance?
        /// Keys of experiences that keep out visitors who lose it, because their decision stays stored.
        public internal(set) var excludedFrom: [String] = []
        /// Why no new visitor gets a variation now, if that is proven.
        public internal(set) var obstacle: String?
        /// Whether none of the new visitors who were let in before is let in now, although others are. A visitor with
        /// several values of one attribute, such as an array or `a|b`, does not count.
        public internal(set) var isExchanged = false
        /// Whether none of the new visitors who got a variation before gets one now, because of rules, other
        /// experiences or the environment.
        var leavesAllNewVisitors = false
        /// The effect on a population, if there is one.
        public internal(set) var population: Population?

        /// The visitors that ``moved`` and ``storedMoved`` are shares of.
        public internal(set) var basis = Basis()
        /// The shares in which visitors are divided who came before, got no variation, and get one now; empty if these
        /// are the shares that the new version allocates, or if the sample ratio of all visitors breaks.
        public internal(set) var newlyAssigned: [NewAssignment] = []
        /// Whether visitors read other features only because of the feature's key, or the order of experiences.
        var isOnlyReadOtherwise = false

        /// Whether any visitor gets a different answer.
        public var changesAnswers: Bool {
            change != .none && change != .changed || environments != nil || moved > 0 || storedMoved > 0
                || audience != .equivalent || storedAudience != .equivalent || !reordered.isEmpty
                || dependence != nil || !renamedVariations.isEmpty || !lostDecisions.isEmpty || !undealtMoves.isEmpty
                || disturbance == .treatment
                || (population?.moved ?? 0) > 0
        }

        /// The text in ``environments`` for an experience that runs in no environment.
        package static let nowhere = "(none)"

        /// Whether visitors are newly let in, or may be, because of rules, other experiences or another environment.
        /// Includes visitors of a population who newly get a variation, if ``moves`` contains no such move.
        public var isEntered: Bool {
            !Set([.equivalent, .narrower]).isSuperset(of: changes)
                || environments.map { !$0[0].isEmpty && obstacle == nil } ?? false
                || population?.moves.contains { $0.from == nil } ?? false && !moves.contains { $0.from == nil }
        }

        /// Whether visitors who were let in before are not now, or may not be.
        public var isLeft: Bool {
            isGone || !Set([.equivalent, .wider]).isSuperset(of: changes)
                || environments.map { !$0[1].isEmpty && $0[0] != Self.nowhere } ?? false
                || population?.moves.contains { $0.to == nil } ?? false
                    && !(moves + storedMoves).contains { $0.to == nil }
        }

        /// Whether no call by the key decides the experience any more.
        var isGone: Bool { change == .removed || change == .archived || change == .shadowed }

        /// Whether the analysis left a question about the experience undecided.
        public var isUndecided: Bool { changes.contains(.undecided) }

        private var changes: Set<AudienceChange> {
            Set([audience, storedAudience] + (dependence.map { [$0.change] } ?? []))
        }
    }

    /// The changes in an experience because experiences that its audiences ask about change, in a call for all
    /// experiences.
    public struct Dependence: Sendable, Equatable {
        /// Keys of the experiences that cause the change, the directly asked ones first.
        public let dependsOn: [String]
        /// The change of the set of visitors that the experience lets in, because of these experiences and its own
        /// rules. Includes new visitors, and visitors with stored decisions for the other experiences.
        public let change: AudienceChange
        /// The change for new visitors, for whom nothing is stored.
        public let newVisitors: AudienceChange
        /// Whether the experience's own rules change too.
        public let hasOwnEdits: Bool
        /// The share that was let in of the new visitors who meet the experience's own rules, from 0 to 1; `nil` if
        /// attributes affect it too.
        public let admittedBefore: Double?
        /// The share that is let in now, of the same visitors.
        public let admittedAfter: Double?
        /// A visitor who is let in now and was not before.
        public let enters: PopulationVisitor?
        /// A visitor who was let in before and is not now.
        public let leaves: PopulationVisitor?
        /// The environment in which ``enters`` is let in; `nil` if the environment does not matter.
        public let entersEnvironment: String?
        /// The environment in which ``leaves`` was let in; `nil` if the environment does not matter.
        public let leavesEnvironment: String?
    }

    /// A variation whose stored decisions are lost: its visitors are assigned again. They may get another variation,
    /// because the allocation may have changed since their first decision.
    public struct LostDecisions: Sendable, Equatable {
        /// The variation's key, or its id if it has no key.
        public let variation: String
        /// The id under which decisions are stored.
        public let id: String
        /// The id that the variation with this key has now; `nil` if no variation has the key.
        public let newID: String?
    }

    /// The move of visitors with a stored decision for a variation that no new visitor got.
    public struct UndealtMove: Sendable, Equatable {
        /// The variation's old key, or its id if it has no key.
        public let from: String
        /// The key of the variation that they get now; `nil` if the decision is lost, so that they are assigned again.
        public let to: String?
    }

    /// A change of a key.
    public struct Renaming: Sendable, Equatable {
        /// The key before, or the id.
        public let from: String
        /// The key now, or the id.
        public let to: String
    }

    /// The disturbance of a running experiment, which had two or more variations with visitors.
    public enum Disturbance: String, Sendable, CaseIterable {
        /// No new visitor is let in any more where the experiment ran.
        case ended
        /// The allocation changes, so the ratio of all visitors, counted before and after the change, fits neither
        /// config. If ``Experience/newlyAssigned`` is not empty, only visitors who came before and got no variation
        /// break it.
        case sampleRatio
        /// The features or variables change that visitors of a variation get, so measurements before and after belong
        /// to different experiments.
        case treatment
        /// The set of visitors that are let in changes; the allocation does not.
        case population
        /// Visitors without a stored decision get another variation, or may get one because theirs is lost. The set of
        /// visitors and the allocation stay the same.
        case assignment
        /// The key changes, so calls with the old key get nothing.
        case renamed
    }

    /// A goal whose key is gone. Conversions tracked with the key no longer count.
    public struct Goal: Sendable, Equatable {
        /// The key before.
        public let oldKey: String
        /// The new key of the goal; `nil` if the goal is gone.
        public let key: String?
    }

    /// A segment whose key is gone. Calls that put visitors into it by the key do nothing.
    public struct Segment: Sendable, Equatable {
        /// The key before.
        public let oldKey: String
        /// The new key of the segment; `nil` if the segment is gone.
        public let key: String?
    }

    /// The rules of a goal or a segment, if they may match other visitors or conversions than before.
    public struct Rules: Sendable, Equatable {
        /// The kind of entity with the rules.
        public enum Owner: String, Sendable {
            case goal, segment
        }

        /// The kind of entity.
        public let owner: Owner
        /// The key in the new config.
        public let key: String
        /// The change of the set of visitors, or of conversions, that the rules match.
        public let change: AudienceChange
        /// Keys of the experiences that let in visitors of this segment only.
        public let experiences: [String]
    }

    /// The experiences of both configs: first the new config's experiences in its order, then the removed ones.
    public internal(set) var experiences: [Experience]

    /// The features that changed.
    public internal(set) var features: [Feature]

    /// The goals whose keys are gone.
    public internal(set) var goals: [Goal] = []

    /// The segments whose keys are gone.
    public internal(set) var segments: [Segment] = []

    /// The goals and segments whose rules changed.
    public internal(set) var rules: [Rules] = []

    /// The number of the population's visitors; `nil` without a population.
    public internal(set) var visitorCount: Int?

    /// The environment that the visitors are decided in; `nil` without a population, or if the lines of a log name
    /// their own.
    public internal(set) var visitorEnvironment: String?

    /// The sampling of a log with too many visitors to keep: one in this many visitors was counted, so counts are
    /// estimates. `nil` if counts are exact.
    public internal(set) var sampledOneIn: Int?

    /// The running experiments that are disturbed, in the order of ``experiences``.
    public var disturbed: [Experience] { experiences.filter { $0.disturbance != nil } }

    /// A summary for people: disturbed experiments, lost decisions, and keys that no longer work.
    public var headline: String {
        var sentences = [
            disturbed.isEmpty
                ? "No running experiment is disturbed."
                : "\(disturbed.count) running experiment\(disturbed.count == 1 ? " is" : "s are") disturbed."
        ]
        func populations(isExchanged: Bool) -> String {
            experiences.filter { $0.disturbance == .population && $0.isExchanged == isExchanged }.map(\.key)
                .joined(separator: ", ")
        }
        let (others, exchanged) = (populations(isExchanged: false), populations(isExchanged: true))
        sentences += ratioSentences
        sentences += treatmentSentences
        if !others.isEmpty { sentences.append("Other visitors than before are let into \(others).") }
        if !exchanged.isEmpty {
            sentences.append("New visitors are let into \(exchanged), but none that were let in before.")
        }
        let assigned = experiences.filter { $0.disturbance == .assignment && $0.moved > 0 }.map(\.key)
        if !assigned.isEmpty {
            sentences.append(
                "Visitors without a stored decision get another variation in \(assigned.joined(separator: ", ")).")
        }
        let lost = experiences.filter { !$0.lostDecisions.isEmpty }.map(\.key)
        let shadowed = experiences.filter { $0.change == .shadowed }.map(\.key)
        if !shadowed.isEmpty {
            sentences.append("Calls by the key now find another experience: \(shadowed.joined(separator: ", ")).")
        }
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
        if !segments.isEmpty {
            let keys = segments.map(\.oldKey).joined(separator: ", ")
            sentences.append("Calls put no visitor into segments by these keys any more: \(keys).")
        }
        return sentences.joined(separator: " ")
    }

    /// Whether any visitor gets a different answer, or may get one.
    public var changesAnswers: Bool {
        !features.isEmpty || !goals.isEmpty || !segments.isEmpty || !rules.isEmpty
            || experiences.contains { $0.changesAnswers }
    }
}
