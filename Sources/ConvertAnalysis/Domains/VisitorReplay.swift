internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Makes visitors of what searches find, and tries them on the decision engine.
struct VisitorReplay {
    /// How many ids are hashed until one has a bucket value that some variation takes; one bucket value of 10,000 is
    /// missed by all of them less often than once in 10^40 times.
    private static let mostIDs = 1_000_000

    private let manager: ExperienceManager

    init(_ project: Project, environment: String?) {
        manager = ExperienceManager(project: project, environment: environment ?? "staging")
    }

    /// A visitor with what `model` asks for who gets a variation of `experience`, or `nil` if none does.
    func visitor(entering experience: Experience, as model: VisitorSearch.Model) -> PopulationVisitor? {
        guard let id = bucketedID(in: experience) else { return nil }
        var person = visitor(of: model)
        person.visitorID = id
        return reason(for: person, in: experience) == nil ? person : nil
    }

    /// The id of a visitor whose bucket value some variation of `experience` takes.
    private func bucketedID(in experience: Experience) -> String? {
        let bucketing = BucketingManager(options: manager.project.options.bucketing)
        let hash = bucketing.hash(experienceID: experience.id.text)
        let layout = BucketLayout(variations: experience.variations, version: experience.version)
        return (1...Self.mostIDs).lazy.map { "visitor-\($0)" }.first { id in
            layout.variation(for: Double(bucketing.bucketValue(visitorID: id, continuing: hash))) != nil
        }
    }

    /// A visitor with what `model` asks for who passes the gates of `experience`, and gets a variation if any takes visitors.
    func visitor(passingInto experience: Experience, as model: VisitorSearch.Model) -> PopulationVisitor? {
        if !BucketRuns(experience).isEmpty { return visitor(entering: experience, as: model) }
        let person = visitor(of: model)
        return reason(for: person, in: experience) == .notBucketed ? person : nil
    }

    /// A visitor with what `model` asks for.
    func visitor(of model: VisitorSearch.Model) -> PopulationVisitor {
        let config = manager.project.config
        var record = JSObject()
        var bucketing = JSObject()
        for (id, isStored) in model.storedDecisions.sorted(by: { $0.key < $1.key }) where isStored {
            let target = config.experiences.first { $0.id.text == id }
            bucketing[id] = .string(target?.variations.first?.id?.text ?? "1")
        }
        if !bucketing.isEmpty { record["bucketing"] = .object(bucketing) }
        let segments = model.customSegments.filter(\.value).keys.sorted { $0.text < $1.text }.map(\.value)
        if !segments.isEmpty { record["segments"] = ["customSegments": .array(segments)] }
        return PopulationVisitor(
            visitorID: "visitor-1", attributes: model.attributes, locationProperties: model.locationProperties,
            stored: VisitorState(record: record))
    }

    /// Whether nobody enters `experience` because it is archived, as the engine has it.
    func isArchived(_ experience: Experience) -> Bool {
        reason(for: PopulationVisitor(visitorID: "visitor-1"), in: experience) == .archived
    }

    /// Why a visitor gets no variation of `experience`; `nil` if they get one.
    func reason(for person: PopulationVisitor, in experience: Experience) -> Decision.Reason? {
        decision(for: person, in: experience).reason
    }

    /// What `experience` decides for a visitor.
    func decision(for person: PopulationVisitor, in experience: Experience) -> Decision {
        var visitor = manager.visitor(id: person.visitorID, attributes: person.attributes, state: person.stored)
        var options = DecisionOptions()
        options.locationProperties = person.locationProperties
        return manager.selectVariation(id: experience.id.text, for: &visitor, options: options)
    }
}
