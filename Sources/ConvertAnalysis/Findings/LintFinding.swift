/// A problem of a config, or something questionable about it.
public struct LintFinding: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
        /// Visitors get something that the config cannot mean.
        case error
        /// A part of the config does nothing, or something else than it says.
        case warning
        /// The config does what it says, which is seldom what was meant.
        case suspicious
        /// Something to know.
        case note

        /// Errors come first.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The finding that another one follows from.
    public struct Cause: Sendable, Hashable {
        /// The kind of the finding.
        public let code: LintCode
        /// Its path.
        public let path: String
    }

    /// What kind of finding it is.
    public let code: LintCode

    /// How bad it is.
    public let severity: Severity

    /// Where it is, as a JSON path such as `$.audiences[3].rules.OR[0]`.
    public let path: String

    /// The same place with the key or the id of the entity instead of its index, such as
    /// `$.audiences['fans'].rules.OR[0]`. It stays the same when entities are added before it.
    public internal(set) var place: String

    /// The entity that it is about, such as `audience 'fans'`; `nil` outside of any.
    public internal(set) var entity: String?

    /// The same entity, as a page names it.
    var subject: LintSubject?

    /// What is wrong and what follows, in a sentence.
    public let message: String

    /// What to do about it.
    public let remedy: String

    /// A visitor who shows it; `nil` where it speaks of no visitor.
    public let witness: PopulationVisitor?

    /// A visitor like ``witness`` for whom the answer is another one; `nil` if the finding compares no visitors.
    public let contrast: PopulationVisitor?

    /// The finding that this one follows from: correcting that corrects this. `nil` if it is a cause itself.
    public internal(set) var because: Cause?

    /// Whether the finding is that a question could not be decided.
    public let isUndecided: Bool

    /// What the remedy says to write in place of the condition that it is about; `nil` if it says something else.
    let edit: ConditionEdit?

    /// The paths at or under which the cause is, if there is a finding there.
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
