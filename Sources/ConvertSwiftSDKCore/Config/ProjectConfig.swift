package import ConvertECMAScript

/// A project's configuration as the CDN serves it: all experiences, audiences, locations, segments, features and goals.
///
///     let config = try ProjectConfig(json: Data(contentsOf: file))
///     for diagnostic in config.diagnostics { print(diagnostic) }
///
/// Decoding is strict about the outer structure and lenient about entities. A malformed entity is left out or never
/// matches, and ``diagnostics`` names it and the reason. Unknown members are ignored. A member of an unexpected type is
/// read as the JavaScript SDK reads it.
public struct ProjectConfig: Sendable {
    /// The account's id.
    public let accountID: EntityID

    /// The project.
    public let project: Project

    /// The experiences, in config order. Decisions are made in this order.
    public package(set) var experiences: [ProjectConfig.Experience]

    /// The audiences, in config order.
    public let audiences: [ProjectConfig.Audience]

    /// The locations, in config order.
    public let locations: [Location]

    /// The custom segments, in config order.
    public let segments: [Segment]

    /// The features, in config order.
    public package(set) var features: [ProjectConfig.Feature]

    /// The goals, in config order.
    public let goals: [ProjectConfig.Goal]

    /// Ids of experiences that are archived although the config still lists them. Ids are compared as text here.
    public var archivedExperiences: [String] { archivedIDs.map(\.text) }

    /// The archived ids in the form that look-ups compare.
    package let archivedIDs: [PropertyKey]

    /// Whether `archived_experiences` is truthy, but not a list. The reference then throws at every decision, so no
    /// decision is made.
    let isArchiveUnreadable: Bool

    /// Diagnostics about parts that were left out while decoding; at most 200.
    public package(set) var diagnostics: [ConfigDiagnostic] = []

    /// The environment to decide in where none is named.
    public static let defaultEnvironment = "staging"
}

extension ProjectConfig {
    init(_ root: JSONCursor, _ reader: consuming ConfigReader = ConfigReader()) throws(ConfigError) {
        guard root.isObject else {
            throw ConfigError(
                code: .notAnObject, path: "$", message: "expected an object, the project config; found another value.")
        }
        if let error = root[.error], error.isTruthy {
            throw ConfigError(
                code: .errorDocument, path: "$.error",
                message: "the server answered with an error (\(ECMAScript.toString(error.value).excerpt(200))); "
                    + "check the SDK key and the environment.")
        }
        guard let accountID = root[.accountID].flatMap({ EntityID($0) }), accountID.isTruthy else {
            throw ConfigError(
                code: .missingMember, path: "$.account_id",
                message: "the account's id is missing; this is not a project config.")
        }
        guard let project = Project(root[.project]), project.id.isTruthy else {
            throw ConfigError(
                code: .missingMember, path: "$.project.id",
                message: "the project's id is missing; this is not a project config.")
        }
        self.accountID = accountID
        self.project = project
        var reader = reader
        experiences = reader.entities(root[.experiences]) { ProjectConfig.Experience($0, &$1) }
        audiences = reader.entities(root[.audiences]) { ProjectConfig.Audience($0, &$1) }
        locations = reader.entities(root[.locations]) { Location($0, &$1) }
        segments = reader.entities(root[.segments]) { Segment($0, &$1) }
        features = reader.entities(root[.features]) { ProjectConfig.Feature($0, &$1) }
        goals = reader.entities(root[.goals]) { ProjectConfig.Goal($0, &$1) }
        let archived = root[.archivedExperiences]
        archivedIDs = reader.list(archived) { element, _ in ECMAScript.toPropertyKey(element.value) }
        isArchiveUnreadable = archived.map { !$0.isArray && $0.isTruthy } ?? false
        let lists: [ConfigMember] = [
            .experiences, .audiences, .locations, .segments, .features, .goals, .archivedExperiences,
        ]
        for name in lists {
            if let list = root.present(name), !list.isArray {
                reader.report("left out: expected a list.", at: list, remedy: "Write a list, in brackets.")
            }
        }
        if let error = reader.error { throw error }
        diagnostics = reader.diagnostics
    }
}
