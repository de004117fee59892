extension SimulationReport {
    /// Two experiences with common visitors.
    public struct Pair: Sendable, Encodable {
        /// The key of the first experience.
        public let first: String
        /// The key of the second experience.
        public let second: String
        /// The number of visitors who got a variation of both.
        public let both: Int
        /// Pearson's statistic of independence.
        public let chiSquare: Double
        /// The statistic's degrees of freedom.
        public let degreesOfFreedom: Int
        /// The probability of a dependence at least as strong, if the variations are independent.
        public let p: Double
        /// Whether the variations depend on each other: `p`, times the number of pairs, is below the threshold of a
        /// mismatch.
        public let isDependent: Bool
        /// The numbers of visitors by both variations; `nil` if the variations are independent.
        public let table: Table?

        /// The numbers of visitors by the first and the second experience's variation. Visitors with a stored variation
        /// of one of them are not counted.
        public struct Table: Sendable, Encodable {
            /// The keys, or else ids, of the first experience's variations.
            public let rows: [String]
            /// The keys, or else ids, of the second experience's variations.
            public let columns: [String]
            /// For each row, the numbers of visitors by column.
            public let visitors: [[Int]]
        }
    }

    /// The effect of an audience that asks whether visitors are in another experience.
    public struct Exclusion: Sendable, Encodable {
        /// The key of the experience that the audience is attached to.
        public let experience: String
        /// The key of the audience.
        public let audience: String
        /// The key of the experience that the audience asks for.
        public let other: String
        /// Whether the audience keeps visitors of the other experience out. If `false`, it lets only them in.
        public let keepsOut: Bool
        /// The number of visitors in both experiences.
        public let both: Int
        /// The number of visitors in the other experience only.
        public let otherOnly: Int
        /// Whether the other experience is decided later, so that the audience does not affect a visitor who is new to
        /// both.
        public let isDecidedLater: Bool
        /// The cost of the exclusion: the number of visitors who meet all other conditions of the experience, and are
        /// kept out by this audience.
        public let keptOut: Int
        /// The number of ``keptOut`` visitors who would get in without this exclusion.
        public let keptOutAlone: Int
    }

    /// The numbers of visitors who have variations of two experiences.
    public struct Overlaps: Sendable, Encodable {
        /// The keys of the ``overlapLimit`` experiences with the most visitors, in config order. Experiences without
        /// visitors are left out.
        public let experiences: [String]
        /// For each experience, a row with the number of visitors that it shares with each; the diagonal has its own
        /// visitors.
        public let visitors: [[Int]]
    }
}
