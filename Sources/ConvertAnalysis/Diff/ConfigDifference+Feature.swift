extension ConfigDifference {
    /// What changes in one feature.
    public struct Feature: Sendable, Equatable {
        /// The key, or the id if variations carry it and the config does not declare it.
        public let key: String
        /// The key in the old config, if it is another one: calls by it get nothing.
        public internal(set) var oldKey: String?
        /// Whether it is new, gone, renamed, or given to visitors otherwise.
        public let change: Change
        /// Keys of the experiences whose visitors get it otherwise than before.
        public let experiences: [String]
        /// The variables before and after, where visitors get others, or where no new visitor gets them any more.
        public let values: [Values]
        /// The experiences that carry it as before and give it to other visitors.
        public internal(set) var recipients: [Recipients] = []
        /// What another order of the experiences that carry it changes; `nil` if it changes nothing.
        public internal(set) var order: Order?
        /// The key by which calls get nothing any more, though visitors had the feature.
        public internal(set) var lostKey: String?
        /// What the visitors of a population get; `nil` without a population, or if a log asks for the feature in
        /// no line.
        public internal(set) var population: Population?

        /// Other visitors that one experience gives it to, whose variations carry it before and after.
        public struct Recipients: Sendable, Equatable {
            /// The experience's key.
            public let experience: String
            /// The share of the new visitors meeting the experience's rules who get other variables, or get it newly or
            /// no more.
            public let moved: Double
            /// The same share of the visitors whose decision is stored.
            public let storedMoved: Double
            /// Whether visitors whom the experience newly lets in get it, or may.
            public let isEntered: Bool
            /// Whether visitors whom the experience lets in no more had it, or may have had it.
            public let isLeft: Bool
            /// Whether visitors had it whose stored decisions are lost.
            public let losesDecisions: Bool
        }

        /// What changes for visitors who get it from several experiences: calls for one feature read the first.
        public struct Order: Sendable, Equatable {
            /// Keys of the experiences that visitors read first now and did not.
            public let experiences: [String]
            /// The share of the new visitors who read others' variables now, from 0 to 1; `nil` if attributes or stored
            /// decisions decide it too.
            public let moved: Double?
            /// A visitor who reads others' variables; `nil` if none was found.
            public let visitor: PopulationVisitor?
            /// The environment in which the visitor does; `nil` if it is no matter.
            public let environment: String?
        }

        /// How many visitors of a population get something else.
        public struct Population: Sendable, Equatable {
            /// Visitors whose answer about the feature is another one.
            public let moved: Int
            /// Visitors of a log of whom that cannot be known. They are not among ``moved``.
            public let unknowable: Int
        }

        /// The variables that visitors of one variation get.
        public struct Values: Sendable, Equatable {
            /// The experience's key.
            public let experience: String
            /// The variation's key, or else its id.
            public let variation: String
            /// The variables before, cast to their declared types, as JSON text; `nil` if the variation did not carry
            /// the feature. A list if it carried it several times: calls for one read the first.
            public let before: String?
            /// The variables now.
            public let after: String?
            /// Whether some new visitor got the variation with the feature; others may keep it by stored decisions.
            public let isDealtBefore: Bool
            /// The same now.
            public let isDealtAfter: Bool

            /// Whether visitors of the variation get other variables, or get the feature newly or no more.
            var isOtherTreatment: Bool { before != after && (isDealtBefore || isDealtAfter) }
        }
    }
}
