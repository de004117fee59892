extension SimulationReport {
    /// Two experiences in which the same visitors got variations.
    public struct Pair: Sendable, Encodable {
        /// Key of the first experience.
        public let first: String
        /// Key of the second one.
        public let second: String
        /// How many visitors got a variation in both.
        public let both: Int
        /// Pearson's statistic of independence.
        public let chiSquare: Double
        /// Its degrees of freedom.
        public let degreesOfFreedom: Int
        /// The probability of variations as dependent as these, if they are not.
        public let p: Double
        /// Whether they depend on each other: `p`, times the number of pairs, is below the threshold of a mismatch.
        public let isDependent: Bool
        /// How many visitors got which variations, if they depend on each other; else `nil`.
        public let table: Table?

        /// The variations of the first experience across those of the second one. Visitors who keep a stored variation
        /// of one of them are not counted.
        public struct Table: Sendable, Encodable {
            /// Keys, or else ids, of the first experience's variations.
            public let rows: [String]
            /// Those of the second one's.
            public let columns: [String]
            /// For each row the visitors by column.
            public let visitors: [[Int]]
        }
    }

    /// What an audience excludes that asks whether visitors are in another experience.
    public struct Exclusion: Sendable, Encodable {
        /// Key of the experience that the audience is attached to.
        public let experience: String
        /// Key of the audience.
        public let audience: String
        /// Key of the experience that it asks for.
        public let other: String
        /// Whether visitors of the other experience are kept out; else only they are let in.
        public let keepsOut: Bool
        /// How many visitors are in both experiences.
        public let both: Int
        /// How many are in the other one alone.
        public let otherOnly: Int
        /// Whether the other experience is decided later, so that a visitor who is new to both is not excluded by it.
        public let isDecidedLater: Bool
        /// What it costs: how many visitors pass all other gates of the experience and are kept out by the other one.
        public let keptOut: Int
        /// How many of them no other exclusion keeps out, so that they would be eligible without this one.
        public let keptOutAlone: Int
    }

    /// How many visitors have variations in two experiences.
    public struct Overlaps: Sendable, Encodable {
        /// The keys of the experiences with visitors, in config order; of more than ``overlapLimit`` those with most
        /// visitors.
        public let experiences: [String]
        /// For each of them a row with the visitors whom it shares with each; its own in its own column.
        public let visitors: [[Int]]
    }
}
