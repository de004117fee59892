internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The shared state of one config's checks: the config, the findings, and what is known about its conditions.
struct LintContext {
    let document: ConfigDocument
    let project: Project
    let semantics: RuleSemantics
    let pool: ConditionPool
    let search: VisitorSearch
    let entrances: EntryFormulas
    /// The rule graphs of the config, with their places.
    let allRules: [RuleSet]
    /// The engine's experiences, by their places in the config. Of several with one id only the first is decided.
    private let experiences: [Int: ProjectConfig.Experience]
    /// The work left for questions whether groups let in further visitors. Limited, so that some is left for questions
    /// about experiences.
    var implicationWork: Int
    /// The number of decisions left for finding visitors who show the effect of the order of experiences.
    var decisionsLeft = Self.mostDecisions
    private var log = FindingLog()
    /// The paths of members that are never read, by the paths of the members that were probably meant.
    var misnamedMembers: [String: String] = [:]
    /// The work left for finding witnesses of suspicions.
    var suspicionWork: Int
    /// The notes on each distinct condition.
    var valueNotes: [Int: [ValueNote]] = [:]
    var leafTruths: [Formula.Literal: LeafTruth] = [:]
    /// Whether some visitor enters an experience at the first call for all experiences, by the experience's id.
    var enteredExperiences: [PropertyKey: Bool] = [:]
    /// The texts that conditions compare an attribute with, in lower case.
    var comparedTexts: [PropertyKey: Set<String>] = [:]
    /// The number of experiences' questions about others that may still be followed.
    var questionsLeft = Self.mostQuestions
    /// The number of experiences and their audiences that may still be read for trying remedies.
    var trialWork = Self.mostTrialWork
    /// The work left for searches when trying remedies.
    var remedyWork: Int
    /// The work left for computing which share of visitors an experience is left.
    var leftShareWork: Int
    /// The places of the experiences that others leave few visitors, by the experiences' ids.
    var fewVisitorsPlaces: [PropertyKey: String] = [:]
    /// What audiences ask about experiences, by the audiences' ids.
    let audienceQuestions: [EntityID: BucketingQuestion]
    /// The number of names that may still be compared letter by letter with an unknown one.
    private var comparisonsLeft = Self.mostComparisons

    private static let mostDecisions = 300_000
    private static let mostQuestions = 2_000_000
    private static let mostComparisons = 200_000
    private static let mostTrialWork = 500_000

    init(_ document: ConfigDocument, _ config: ProjectConfig, semantics: RuleSemantics, limits: AnalysisLimits) {
        self.document = document
        self.semantics = semantics
        pool = ConditionPool(semantics: semantics, budget: AnalysisBudget(limits))
        project = Project(config, options: pool.options)
        search = VisitorSearch(pool)
        entrances = EntryFormulas(project, pool: pool)
        allRules = Self.rules(of: document, under: semantics)
        let byID = Dictionary(firstOf: project.config.experiences.map { ($0.id.key, $0) })
        var known: Set<PropertyKey> = []
        experiences = Dictionary(
            uniqueKeysWithValues: document[.experiences].compactMap { entity in
                guard let id = entity.id?.key, known.insert(id).inserted else { return nil }
                return byID[id].map { (entity.index, $0) }
            })
        implicationWork = limits.transitions / 2
        suspicionWork = limits.transitions / 4
        remedyWork = limits.transitions / 8
        leftShareWork = limits.transitions / 8
        audienceQuestions = Dictionary(
            firstOf: allRules.compactMap { rules in
                rules.question.flatMap { question in rules.entity.id.map { ($0, question) } }
            })
    }

    /// The engine's experience; `nil` if an earlier one has the same id.
    func experience(of entity: ConfigDocument.Entity) -> ProjectConfig.Experience? { experiences[entity.index] }

    /// Whether the limit of findings of a severity is reached, beyond which no more are listed.
    func isFull(_ severity: LintFinding.Severity) -> Bool { log.isFull(severity) }

    /// The number of added findings.
    var findingCount: Int { log.count }

    /// Adds a finding of a kind.
    mutating func add(
        _ code: LintCode, _ severity: LintFinding.Severity? = nil, at path: String, _ message: String, remedy: String,
        witness: PopulationVisitor? = nil, contrast: PopulationVisitor? = nil, under origins: [String] = [],
        edit: ConditionEdit? = nil
    ) {
        add(
            LintFinding(
                code, severity, at: path, message, remedy: remedy, witness: witness, contrast: contrast,
                under: origins, edit: edit))
    }

    /// Adds a finding. If the member that it misses exists under another name, the finding about that name becomes its
    /// cause.
    mutating func add(_ finding: LintFinding) {
        var finding = finding
        finding.origins += misnamed(at: finding.path)
        if [.unattached, .featureUnused].contains(finding.code) { finding.origins += lostExperiences }
        log.add(finding)
    }

    /// The path of the misnamed member that was probably meant to be at `path`; empty if there is no such member.
    func misnamed(at path: String) -> [String] { misnamedMembers[path].map { [$0] } ?? [] }

    /// The places at which the config loses its experiences although it contains some: a misnamed or unreadable list.
    var lostExperiences: [String] {
        var places = misnamed(at: "$.experiences")
        if document.root["experiences"].map({ $0.arrayValue == nil }) ?? false { places.append("$.experiences") }
        if document.isArchiveUnreadable { places.append("$.archived_experiences") }
        return places
    }

    /// The most similar name, which was probably meant; `nil` if no name is similar, if `name` is one of them, or once
    /// too many names were compared.
    ///
    /// - Parameter isOfNumbers: whether `name` may be a number. By default numbers are not compared, because similar
    ///   numbers are as different as others.
    mutating func nearest(to name: String, among names: [String], isOfNumbers: Bool = false) -> String? {
        guard isOfNumbers || name.contains(where: { !$0.isNumber }), names.count <= comparisonsLeft,
            !names.contains(where: { $0.hasSameCodeUnits(as: name) })
        else {
            return nil
        }
        comparisonsLeft -= names.count
        return names.nearest(to: name)
    }

    /// Adds findings for diagnostics of decoding and compiling that no other finding covers.
    mutating func addDiagnostics() {
        // Rules that a question stands for are never evaluated.
        let paths = log.paths(without: .unreadMember) + allRules.filter { $0.question != nil }.map(\.path)
        for diagnostic in project.diagnostics where !paths.contains(where: { $0.isAlong(diagnostic.path) }) {
            add(
                .malformed, at: diagnostic.path, diagnostic.message,
                remedy: diagnostic.remedy, under: misnamed(at: diagnostic.path + ".rules"))
        }
    }

    /// The findings, the most severe first, each consequence after its cause.
    func report(without exceptions: LintExceptions) -> LintReportContents {
        log.report(on: document, without: exceptions, limit: ConfigLint.limit)
    }
}

extension String? {
    /// `Did you mean 'NAME'? `, or an empty text without a name.
    var hint: String { map { "Did you mean '\($0.excerpt())'? " } ?? "" }
}

extension [String] {
    /// The first of the names, and the number of further ones.
    var listed: String {
        let shown = prefix(20).joined(separator: ", ")
        return count > 20 ? "\(shown) and \(count - 20) more" : shown
    }

    /// The names joined with "and", or ``listed`` if there are more than 20.
    var spoken: String { count > 20 ? listed : joined(separator: " and ") }
}

extension String {
    /// Whether one of the two paths leads through the other.
    fileprivate func isAlong(_ other: String) -> Bool {
        isAt(orUnder: other) || other.isAt(orUnder: self)
    }
}
