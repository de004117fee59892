internal import ConvertECMAScript
internal import ConvertSwiftSDK
public import ConvertSwiftSDKCore

/// Decides experiences for whole populations, one visitor after the other. Nothing is tracked, and decisions are stored
/// only until the visitor is done.
///
///     let assignment = try PopulationAssignment(config)
///     for line in lines { print(assignment.line(for: try PopulationVisitor(json: line))) }
///
/// Safe to share between threads. ``run(_:threads:read:write:didWrite:)`` assigns a stream of visitors.
public struct PopulationAssignment: Sendable {
    /// The options for decisions and their lines.
    public struct Options: Sendable {
        /// The environment to decide in.
        public var environment = ProjectConfig.defaultEnvironment

        /// The semantics of rule evaluation.
        public var semantics = RuleSemantics.standard

        /// Keys of the experiences to decide, in order; empty stands for all experiences of the config.
        public var experienceKeys: [String] = []

        /// Whether lines contain the reason for each decision.
        public var includesReasons = false

        /// Whether lines contain all of the visitor's data and the circumstances of the decision, so that
        /// ``DecisionReplay`` can repeat it.
        public var repeatsVisitors = false

        /// The revision by which lines that repeat visitors name the config, such as
        /// ``DecisionReplay/Candidate/revision``; `nil` means that they do not name it.
        public var configRevision: String?

        /// Whether lines contain the visitor's features.
        public var includesFeatures = false

        /// The layout of lines. ``includesReasons``, ``repeatsVisitors``, ``configRevision`` and ``includesFeatures``
        /// apply only to JSON lines of visitors.
        public var layout = AssignmentLayout()

        /// Creates the default options.
        public init() {}
    }

    /// An experience and its decision.
    public struct ExperienceDecision: Sendable {
        /// The experience's key.
        public let experienceKey: String
        /// The decision.
        public let decision: Decision
    }

    let project: Project
    private let options: Options
    private let manager: ExperienceManager
    private let baseOptions: DecisionOptions
    /// The keys of the experiences in lines, each once.
    private let keys: [String]
    /// The parts of lines that contain decisions.
    private let members: DecisionMembers
    /// For each experience of the config, its index in ``keys``; -1 if an earlier experience has its key.
    private let places: [Int]
    /// The keys of the declared features, or else their ids.
    private let featureNames: [String]
    let storedNames: StoredNames
    /// The last members of lines that repeat visitors: the circumstances of the decision.
    private let circumstances: [UInt8]

    /// Creates an assignment with `config`.
    ///
    /// - Throws: ``UnknownExperienceError`` if the config does not contain one of the experiences in `options`.
    public init(_ config: ProjectConfig, options: Options = Options()) throws(UnknownExperienceError) {
        try self.init(Project(config, options: CompilationOptions(semantics: options.semantics)), options: options)
    }

    /// Creates an assignment with `project`, whose semantics apply.
    package init(_ project: Project, options: Options = Options()) throws(UnknownExperienceError) {
        self.project = project
        self.options = options
        manager = ExperienceManager(project: project, environment: options.environment)
        baseOptions = DecisionOptions(forPopulationOf: project)
        let wanted = try ExperiencePlaces(project.config, named: options.experienceKeys)
        keys = wanted.keys
        places = wanted.places
        storedNames = StoredNames(project.config)
        members = DecisionMembers(wanted.indices, of: project.config, in: options.layout)
        var features: Set<PropertyKey> = []
        featureNames = project.config.features.map { $0.key ?? $0.id.text }.filter {
            features.insert(PropertyKey($0)).inserted
        }
        circumstances = Self.circumstances(of: project, options)
    }

    /// The members of a decision log with the circumstances of the decision, each after a comma.
    private static func circumstances(of project: Project, _ options: Options) -> [UInt8] {
        var call = LoggedCall()
        if options.experienceKeys.isEmpty { call.question = .eachExperience }
        var members = JSObject()
        func set(_ member: LoggedMember, _ value: JSValue) { members[PropertyKey(member.rawValue)] = value }
        if let revision = options.configRevision { set(.config, .string(revision)) }
        if !project.options.json.isEmpty { set(.options, .object(project.options.json)) }
        set(.environment, .string(options.environment))
        if !call.json.isEmpty { set(.call, .object(call.json)) }
        return [UInt8(ascii: ",")] + ECMAScript.jsonText(keepingNumbersOf: .object(members)).utf8.dropFirst().dropLast()
    }

    /// Decides the experiences for one visitor, in the order of the options, or else of the config. Later decisions see
    /// what earlier ones stored.
    public func decisions(for visitor: PopulationVisitor) -> [ExperienceDecision] {
        var person = manager.visitor(visitor)
        var decisions: [ExperienceDecision] = []
        decisions.reserveCapacity(keys.count)
        forEachConclusion(for: &person, visitor) { place, conclusion in
            decisions.append(
                ExperienceDecision(
                    experienceKey: keys[place], decision: Decision(conclusion, in: manager.project)))
        }
        return decisions
    }

    /// Decides for one visitor and returns a line of JSON without its line end.
    ///
    /// Its members are `visitorId` and `decisions`, which maps each experience to the key of a variation (or its id, if
    /// it has no key) or `null`. The options can add members.
    ///
    /// Another ``Options/layout`` may have several lines for the visitor, or none. The result lacks the last line end,
    /// and is empty without lines.
    public func line(for visitor: PopulationVisitor) -> String {
        var lines = AssignmentLines()
        append(visitor, to: &lines)
        return String(decoding: lines.json.bytes.dropLast(), as: UTF8.self)
    }

    private func forEachConclusion(
        for person: inout Visitor, _ visitor: PopulationVisitor, _ body: (Int, Conclusion) -> Void
    ) {
        let callOptions = visitor.options(from: baseOptions)
        guard options.experienceKeys.isEmpty else {
            for (place, key) in keys.enumerated() {
                let experience = manager.project.experience(key: key)
                body(place, manager.conclude(experience, for: &person, options: callOptions).value)
            }
            return
        }
        manager.concludeEach(for: &person, options: callOptions) { index, conclusion in
            if places[index] >= 0 { body(places[index], conclusion) }
        }
    }
}

extension PopulationAssignment {
    /// Appends the lines of a visitor.
    func append(_ visitor: PopulationVisitor, to lines: inout AssignmentLines) {
        switch (options.layout.rows, options.layout.format) {
        case (.visitors, .jsonLines): appendObject(visitor, to: &lines)
        case (.visitors, .csv): appendRecord(visitor, to: &lines)
        case (.decisions, _): appendDecisions(of: visitor, to: &lines, onlyAssigned: false)
        case (.assignments, _): appendDecisions(of: visitor, to: &lines, onlyAssigned: true)
        }
    }

    /// Appends the line of an invalid record, if the layout has such lines.
    func append(_ error: PopulationVisitorError, to lines: inout AssignmentLines) {
        if options.layout.format == .jsonLines { lines.append(error) }
    }

    /// The line of column names; empty if the layout has no header.
    var header: [UInt8] {
        guard options.layout.format == .csv, options.layout.hasHeader else { return [] }
        var record = JSONBytes(capacity: 0)
        let names = options.layout.rows == .visitors ? ["visitorId"] + keys : AssignmentLayout.columns
        for (index, name) in names.enumerated() {
            if index > 0 { record.append(",") }
            record.append(cell: name)
        }
        record.append("\n")
        return record.bytes
    }

    private func appendRecord(_ visitor: PopulationVisitor, to lines: inout AssignmentLines) {
        var person = manager.visitor(visitor)
        lines.json.append(cell: visitor.visitorID)
        forEachConclusion(for: &person, visitor) { place, conclusion in
            members.withMember(of: place, variation: conclusion.selection?.variation) { lines.json.append(json: $0) }
        }
        lines.json.append("\n")
    }

    private func appendDecisions(
        of visitor: PopulationVisitor, to lines: inout AssignmentLines, onlyAssigned: Bool
    ) {
        var person = manager.visitor(visitor)
        let isCSV = options.layout.format == .csv
        var id = JSONBytes(capacity: 0)
        if isCSV {
            id.append(cell: visitor.visitorID)
        } else {
            id.append(#"{"visitorId":"#)
            id.append(quoting: visitor.visitorID)
        }
        forEachConclusion(for: &person, visitor) { place, conclusion in
            let variation = conclusion.selection?.variation
            if onlyAssigned, variation == nil { return }
            lines.json.append(json: id.bytes)
            members.withMember(of: place, variation: variation) { lines.json.append(json: $0) }
            if isCSV {
                lines.json.append(",")
                lines.json.append(cell: conclusion.reason)
                lines.json.append("\n")
            } else {
                lines.json.append(#","reason":"#)
                lines.json.append(quoting: conclusion.reason)
                lines.json.append("}\n")
            }
        }
    }

    private func appendObject(_ visitor: PopulationVisitor, to lines: inout AssignmentLines) {
        if options.repeatsVisitors {
            visitor.appendOpened(to: &lines.json)
            lines.json.append(json: circumstances)
        } else {
            lines.json.append(#"{"visitorId":"#)
            lines.json.append(quoting: visitor.visitorID)
        }
        lines.json.append(#","decisions":{"#)
        var person = manager.visitor(visitor)
        let untouched = options.includesFeatures ? person.copy() : nil
        lines.beginReasons()
        var isFirst = true
        forEachConclusion(for: &person, visitor) { place, conclusion in
            members.withMember(of: place, variation: conclusion.selection?.variation) { member in
                lines.json.append(json: member.dropFirst(isFirst ? 1 : 0))
            }
            if options.includesReasons {
                lines.appendReason(for: conclusion, named: members.name(of: place), isFirst: isFirst)
            }
            isFirst = false
        }
        lines.json.append("}")
        if options.includesReasons { lines.appendReasons() }
        if var untouched { appendFeatures(of: &untouched, visitor, to: &lines.json) }
        lines.json.append("}\n")
    }

    /// Appends each feature: `null` if it is off, or else a list with an entry for each experience that carries it.
    private func appendFeatures(
        of person: inout Visitor, _ visitor: PopulationVisitor, to json: inout JSONBytes
    ) {
        let callOptions = visitor.options(from: baseOptions)
        let found = FeatureManager(experiences: manager).features(for: &person, options: callOptions).value.logged
        json.append(#","features":{"#)
        for (index, name) in featureNames.enumerated() {
            if index > 0 { json.append(",") }
            json.append(quoting: name)
            json.append(":")
            json.append(json: ECMAScript.jsonText(keepingNumbersOf: found[PropertyKey(name)] ?? .null).utf8)
        }
        json.append("}")
    }
}
