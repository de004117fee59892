internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// The properties of visitors that each experience of a config reads, and the questions of experiences about each
/// other.
struct PropertyReaders: Sendable {
    /// The properties that one experience reads. Names are in lower case.
    struct Experience: Sendable {
        let id: PropertyKey
        /// The properties that its locations and audiences read.
        var names: Set<PropertyKey> = []
        /// The properties that its permanent audiences read, which are not checked for visitors with a stored decision.
        var namesAtEntry: Set<PropertyKey> = []
        /// The ids of the experiences that its audiences ask about.
        var questions: Set<PropertyKey> = []
        /// The questions of its audiences that can keep a visitor out by themselves.
        var gates: [(id: PropertyKey, keepsOut: Bool, isPermanent: Bool)] = []
    }

    let config: ProjectConfig
    let semantics: RuleSemantics
    let bucketing: BucketingOptions
    private(set) var experiences: [Experience] = []
    /// The indices of the experiences that may carry a feature, by the feature's key or id.
    private var carriers: [PropertyKey: [Int]] = [:]

    init(_ project: Project) {
        config = project.config
        semantics = project.options.semantics
        bucketing = project.options.bucketing
        let audiences = Dictionary(grouping: config.audiences, by: \.id)
        let locations = Dictionary(grouping: config.locations, by: \.id)
        let segments = Set(config.segments.map(\.id))
        let ids = Dictionary(firstOf: config.experiences.map { ($0.entityKey.lookUp, $0.id.key) })
        for experience in config.experiences {
            var reader = Experience(id: experience.id.key)
            let places = experience.locations.flatMap { locations[$0] ?? [] }.compactMap(\.rules)
            reader.names = names(in: places + [experience.siteArea].compactMap(\.self), or: Self.locationData)
            // Without location properties, the reference lets no visitor in.
            if semantics == .javaScript { reader.names.insert(Self.locationData) }
            for audience in experience.audiences.flatMap({ audiences[$0] ?? [] }) {
                guard let rules = audience.rules else { continue }
                if let question = rules.bucketingQuestion {
                    guard let id = ids[question.experienceKey] else { continue }
                    reader.questions.insert(id)
                    if experience.audienceMatching == .all || experience.audiences.count == 1 {
                        reader.gates.append((id, question.keepsOut, audience.isPermanent))
                    }
                } else if audience.isPermanent {
                    reader.namesAtEntry.formUnion(names(in: [rules], or: Self.visitorData))
                } else {
                    reader.names.formUnion(names(in: [rules], or: Self.visitorData))
                }
            }
            if experience.audiences.contains(where: segments.contains) { reader.names.insert(Self.customSegments) }
            experiences.append(reader)
        }
        addCarriers()
    }

    // The names of withheld data that are not properties: objects of the call that answer rules.
    private static let visitorData: PropertyKey = "visitordata"
    private static let locationData: PropertyKey = "locationdata"
    private static let customSegments: PropertyKey = "customsegments"
    static let data = [visitorData, locationData, customSegments]

    private func names(in rules: [RuleTree], or data: PropertyKey) -> Set<PropertyKey> {
        if rules.isEmpty { return [] }
        let names = rules.reduce(into: Set<PropertyKey>([data])) { $0.formUnion($1.propertyNames) }
        // If properties have this member, the reference treats them as an object that answers rules itself.
        return semantics == .javaScript ? names.union(["name"]) : names
    }

    private mutating func addCarriers() {
        let keys = Dictionary(grouping: config.features, by: \.id.key)
        for (place, experience) in config.experiences.enumerated() {
            for change in experience.variations.flatMap(\.changes) where change.type == "fullStackFeature" {
                guard let id = change.data?.objectValue?.carriedFeatureID?.key else { continue }
                for name in [id] + (keys[id] ?? []).map(\.entityKey.lookUp) where carriers[name]?.last != place {
                    carriers[name, default: []].append(place)
                }
            }
        }
    }

    /// The indices of the experiences that may carry the feature with this key, or with this id if the feature has no
    /// key.
    func carriers(of feature: PropertyKey) -> [Int] { carriers[feature] ?? [] }

    /// Whether the stored variation for the experience at `place` keeps its visitor in, whatever the permanent
    /// audiences say.
    func keeps(_ stored: VisitorState, at place: Int) -> Bool {
        guard let value = stored.bucketing?[experiences[place].id], value.isTruthy else { return false }
        return config.experiences[place].variation(id: ECMAScript.toPropertyKey(value), under: semantics) != nil
    }
}
