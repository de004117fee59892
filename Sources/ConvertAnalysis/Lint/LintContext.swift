internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What the checks of one config share: the config, what was found, and what is known of its conditions.
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
    /// What questions whether groups add anybody may still take, so that something is left for those about experiences.
    var implicationWork: Int
    /// How many more decisions may be made for visitors who show what the order of experiences does.
    var decisionsLeft = Self.mostDecisions
    private var log = FindingLog()
    /// The paths of members that are never read, by the paths at which they would be.
    var misnamedMembers: [String: String] = [:]
    /// What looking for witnesses of suspicions may still take.
    var suspicionWork: Int
    /// What was found out about each distinct condition.
    var valueNotes: [Int: [ValueNote]] = [:]
    var leafTruths: [Formula.Literal: LeafTruth] = [:]
    /// Whether some visitor enters an experience at the first call for all experiences, by the experiences' ids.
    var enteredExperiences: [PropertyKey: Bool] = [:]
    /// The texts that conditions compare an attribute with, in lower case.
    var comparedTexts: [PropertyKey: Set<String>] = [:]
    /// How many more questions of experiences about others are followed.
    var questionsLeft = Self.mostQuestions
    /// How many more names are compared letter by letter with one that is unknown.
    private var comparisonsLeft = Self.mostComparisons

    private static let mostDecisions = 300_000
    private static let mostQuestions = 2_000_000
    private static let mostComparisons = 200_000

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
    }

    /// The engine's experience; `nil` if an earlier one with the same id takes its place.
    func experience(of entity: ConfigDocument.Entity) -> ProjectConfig.Experience? { experiences[entity.index] }

    /// Whether the limit of findings of a severity is reached, beyond which no more are listed.
    func isFull(_ severity: LintFinding.Severity) -> Bool { log.isFull(severity) }

    /// How many findings were added.
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

    /// Adds a finding, under the one that what it misses has another name.
    mutating func add(_ finding: LintFinding) {
        var finding = finding
        finding.origins += misnamed(at: finding.path)
        if [.unattached, .featureUnused].contains(finding.code) { finding.origins += lostExperiences }
        log.add(finding)
    }

    /// The path of the member that was probably meant to be the one at `path`, under another name; empty without one.
    func misnamed(at path: String) -> [String] { misnamedMembers[path].map { [$0] } ?? [] }

    /// Where the config says that it has no experience, or that none counts, though it has some.
    var lostExperiences: [String] {
        var places = misnamed(at: "$.experiences")
        if document.root["experiences"].map({ $0.arrayValue == nil }) ?? false { places.append("$.experiences") }
        if document.isArchiveUnreadable { places.append("$.archived_experiences") }
        return places
    }

    /// The name that was probably meant; `nil` if none is near, if it is among them itself, and once too many were
    /// compared.
    ///
    /// - Parameter isOfNumbers: whether a number may be meant; numbers that are nearly alike are as different as
    ///   others.
    mutating func nearest(to name: String, among names: [String], isOfNumbers: Bool = false) -> String? {
        guard isOfNumbers || name.contains(where: { !$0.isNumber }), names.count <= comparisonsLeft,
            !names.contains(where: { $0.hasSameCodeUnits(as: name) })
        else {
            return nil
        }
        comparisonsLeft -= names.count
        return names.nearest(to: name)
    }

    /// Adds what decoding and compiling complained about, where no finding says it already.
    mutating func addDiagnostics() {
        let paths = log.paths(without: .unreadMember)
        for diagnostic in project.diagnostics where !paths.contains(where: { $0.isAlong(diagnostic.path) }) {
            add(
                .malformed, at: diagnostic.path, diagnostic.message,
                remedy: diagnostic.remedy, under: misnamed(at: diagnostic.path + ".rules"))
        }
    }

    /// The findings, the most severe first, each behind its cause.
    func report(without exceptions: LintExceptions) -> LintReportContents {
        log.report(on: document, without: exceptions, limit: ConfigLint.limit)
    }
}

extension String? {
    /// `Did you mean 'NAME'? `, or empty without a name.
    var hint: String { map { "Did you mean '\($0.excerpt())'? " } ?? "" }
}

extension [String] {
    /// The first of the names, and how many more there are.
    var listed: String {
        let shown = prefix(20).joined(separator: ", ")
        return count > 20 ? "\(shown) and \(count - 20) more" : shown
    }

    /// The names with "and" between them, if they are not too many.
    var spoken: String { count > 20 ? listed : joined(separator: " and ") }
}

extension String {
    /// Whether one of two paths leads through the other.
    fileprivate func isAlong(_ other: String) -> Bool {
        isAt(orUnder: other) || other.isAt(orUnder: self)
    }
}
