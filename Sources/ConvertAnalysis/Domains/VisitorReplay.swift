internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Makes visitors of what searches find, and tries them on the decision engine.
struct VisitorReplay {
    /// How many ids are tried until one has a bucket value that some variation takes.
    private static let mostIDs = 20_000

    private let manager: ExperienceManager

    init(_ project: Project, environment: String?) {
        manager = ExperienceManager(project: project, environment: environment ?? "staging")
    }

    /// A visitor with what `model` asks for who gets a variation of `experience`, or `nil` if none does.
    func visitor(entering experience: Experience, as model: VisitorSearch.Model) -> PopulationVisitor? {
        var person = visitor(of: model)
        for number in 1...Self.mostIDs {
            person.visitorID = "visitor-\(number)"
            switch reason(for: person, in: experience) {
            case nil: return person
            case .notBucketed?: continue
            default: return nil
            }
        }
        return nil
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
