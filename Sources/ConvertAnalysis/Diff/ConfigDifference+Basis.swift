extension ConfigDifference {
    /// The visitors that an experience's shares of moving visitors are about.
    public struct Basis: Sendable, Equatable {
        /// Whether the share of new visitors is one of the visitors whom the other experiences let in that the rules
        /// ask about: attributes decide how many these are.
        public internal(set) var isOfAdmitted = false
        /// The share that other experiences let in before, of the new visitors who meet the experience's other rules,
        /// from 0 to 1; `nil` if the rules ask about no other experience, or if attributes decide too.
        public internal(set) var admittedBefore: Double?
        /// The share that other experiences let in now, of the same visitors.
        public internal(set) var admittedAfter: Double?
        /// The environment of the new visitors; `nil` if the share is the same wherever the experience runs. An
        /// experience that leaves an environment or enters another one moves its visitors there.
        public internal(set) var environment: String?
        /// Whether further new visitors enter or leave, whose share is unknown because attributes decide it.
        public internal(set) var isIncomplete = false
        /// Whether further visitors with a stored decision enter, leave or move, whose share is unknown.
        public internal(set) var isStoredIncomplete = false
        /// Keys of the experiences that the rules ask about, before or after.
        var others: [String] = []
    }

    /// The share of a variation among visitors who came before, got no variation, and get one now.
    public struct NewAssignment: Sendable, Equatable {
        /// The variation's key, or its id if it has no key.
        public let variation: String
        /// The variation's share of these visitors, from 0 to 1.
        public let share: Double
        /// The variation's share of all new visitors who get a variation.
        public let allocated: Double
    }
}

extension ConfigDifference {
    private func keys(_ isListed: (Experience) -> Bool) -> String? {
        let found = experiences.filter(isListed).map(\.key)
        return found.isEmpty ? nil : found.joined(separator: ", ")
    }

    /// The sentences of the headline about sample ratios that break.
    var ratioSentences: [String] {
        var sentences: [String] = []
        if let broken = keys({ $0.disturbance == .sampleRatio && $0.newlyAssigned.isEmpty }) {
            sentences.append(
                "Expect the sample ratio to break in \(broken): count only visitors who come after the release.")
        }
        if let ramps = keys({ $0.disturbance == .sampleRatio && !$0.newlyAssigned.isEmpty }) {
            sentences.append(
                "Expect the sample ratio to break in \(ramps) among visitors who came before and got no variation: the "
                    + "release divides them in other shares than it allocates. Leave them out, as srm --log does.")
        }
        return sentences
    }

    /// The sentences of the headline about other features and variables.
    var treatmentSentences: [String] {
        var sentences: [String] = []
        if let changed = keys({ $0.disturbance == .treatment && !$0.isOnlyReadOtherwise }) {
            sentences.append(
                "Variations carry other features or variables in \(changed): do not pool data from before and after "
                    + "the release.")
        }
        if let otherwise = keys({ $0.disturbance == .treatment && $0.isOnlyReadOtherwise }) {
            sentences.append(
                "Visitors read other features or variables in \(otherwise), because a feature has another key or its "
                    + "experiences another order: do not pool data from before and after the release.")
        }
        return sentences
    }
}
