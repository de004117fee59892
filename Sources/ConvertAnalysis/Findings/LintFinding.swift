/// A problem in a config, or something questionable.
public struct LintFinding: Sendable, Equatable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
        /// Visitors get a result that cannot be intended.
        case error
        /// A part of the config has no effect, or another effect than it says.
        case warning
        /// The config has the effect that it says, but that is seldom intended.
        case suspicious
        /// Information without a problem.
        case note

        /// Orders errors before warnings, suspicions and notes.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The finding that causes another one.
    public struct Cause: Sendable, Hashable {
        /// The kind of the causing finding.
        public let code: LintCode
        /// The path of the causing finding.
        public let path: String
    }

    /// The kind of the finding.
    public let code: LintCode

    /// The severity of the finding.
    public let severity: Severity

    /// The place in the config, as a JSON path such as `$.audiences[3].rules.OR[0]`.
    public let path: String

    /// The same place with the entity's key or id instead of its index, such as `$.audiences['fans'].rules.OR[0]`. It
    /// stays the same when entities are added before it.
    public internal(set) var place: String

    /// The entity that contains the finding, such as `audience 'fans'`; `nil` if the finding is outside of all
    /// entities.
    public internal(set) var entity: String?

    /// The same entity, as an HTML report names it.
    var subject: LintSubject?

    /// The problem and its consequence, in one sentence.
    public let message: String

    /// The suggested correction.
    public let remedy: String

    /// A visitor who shows the problem; `nil` if the finding is not about visitors, or the search found no visitor.
    public let witness: PopulationVisitor?

    /// A visitor like ``witness`` with a different answer; `nil` if the finding does not compare visitors.
    public let contrast: PopulationVisitor?

    /// The finding that causes this one: correcting the cause corrects both. `nil` if this finding has no known cause.
    public internal(set) var because: Cause?

    /// Whether the finding says that the analysis could not decide a question.
    public let isUndecided: Bool

    /// The condition that the remedy suggests as a replacement; `nil` if it suggests no condition.
    let edit: ConditionEdit?

    /// The paths at or under which a finding would be the cause of this one.
    var origins: [String]

    init(
        _ code: LintCode, _ severity: Severity? = nil, at path: String, _ message: String, remedy: String,
        witness: PopulationVisitor? = nil, contrast: PopulationVisitor? = nil, under origins: [String] = [],
        edit: ConditionEdit? = nil
    ) {
        self.code = code
        self.severity = severity ?? code.severity
        self.path = path
        place = path
        self.message = message
        self.remedy = remedy
        self.witness = witness
        self.contrast = contrast
        self.origins = origins
        self.edit = edit
        isUndecided = code == .undecided
    }
}
