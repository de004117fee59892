extension ConfigDifference {
    /// The changes in one feature.
    public struct Feature: Sendable, Equatable {
        /// The key. If the config does not declare the feature, the id that variations carry.
        public let key: String
        /// The key in the old config, if it changed; calls with the old key get nothing.
        public internal(set) var oldKey: String?
        /// The kind of change.
        public let change: Change
        /// Keys of the experiences that give the feature to their visitors differently than before.
        public let experiences: [String]
        /// The variables before and after, if they differ for some visitors, or if no new visitor gets them any more.
        public let values: [Values]
        /// The experiences that carry the feature as before, but give it to other visitors.
        public internal(set) var recipients: [Recipients] = []
        /// The effect of a new order of the experiences that carry the feature; `nil` if the order changes nothing.
        public internal(set) var order: Order?
        /// The key for which calls get nothing any more, although visitors had the feature.
        public internal(set) var lostKey: String?
        /// The effect on a population; `nil` without a population, or if no line of the log asks for the feature.
        public internal(set) var population: Population?

        /// The change of the visitors to whom one experience gives the feature, if its variations carry it before and
        /// after.
        public struct Recipients: Sendable, Equatable {
            /// The experience's key.
            public let experience: String
            /// The share of new visitors meeting the experience's rules for whom the feature or its variables change.
            public let moved: Double
            /// The same share among visitors with a stored decision.
            public let storedMoved: Double
            /// Whether visitors whom the experience newly lets in get the feature, or may get it.
            public let isEntered: Bool
            /// Whether visitors whom the experience no longer lets in had the feature, or may have had it.
            public let isLeft: Bool
            /// Whether visitors with lost stored decisions had the feature.
            public let losesDecisions: Bool
        }

        /// The change for visitors who get the feature from several experiences: calls for one feature read only the
        /// first.
        public struct Order: Sendable, Equatable {
            /// Keys of the experiences that some visitors read first now, unlike before.
            public let experiences: [String]
            /// The share of new visitors who now read the variables of another experience, from 0 to 1; `nil` if
            /// attributes or stored decisions affect it too.
            public let moved: Double?
            /// A visitor who now reads the variables of another experience; `nil` if the search found no such visitor.
            public let visitor: PopulationVisitor?
            /// The environment in which ``visitor`` does so; `nil` if it happens in every environment.
            public let environment: String?
        }

        /// The number of a population's visitors for whom the feature changes.
        public struct Population: Sendable, Equatable {
            /// Visitors with a different answer about the feature.
            public let moved: Int
            /// Visitors of a log whose change cannot be determined. They are not counted in ``moved``.
            public let unknowable: Int
        }

        /// The variables that the visitors of one variation get.
        public struct Values: Sendable, Equatable {
            /// The experience's key.
            public let experience: String
            /// The variation's key, or its id if it has no key.
            public let variation: String
            /// The variables before, cast to their declared types, as JSON text; `nil` if the variation did not carry
            /// the feature. A list if the variation carried it several times; calls for one feature read the first.
            public let before: String?
            /// The variables now, in the same form.
            public let after: String?
            /// Whether new visitors could get the variation with the feature before. Even if not, visitors may keep it
            /// by stored decisions.
            public let isDealtBefore: Bool
            /// Whether new visitors can get it now.
            public let isDealtAfter: Bool

            /// Whether the feature or its variables change for the variation's visitors.
            var isOtherTreatment: Bool { before != after && (isDealtBefore || isDealtAfter) }
        }
    }
}
