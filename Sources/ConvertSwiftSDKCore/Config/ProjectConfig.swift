internal import ConvertECMAScript

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A project's configuration as the CDN serves it: every experience, audience, location, segment, feature and goal.
///
///     let config = try ProjectConfig(json: Data(contentsOf: file))
///     for diagnostic in config.diagnostics { print(diagnostic) }
///
/// Decoding is strict about the frame and lenient about entities: a malformed one is left out, or never matches, and
/// ``diagnostics`` says which and why. Unknown members are ignored. A member of another type than expected is read as
/// the JavaScript SDK reads it.
public struct ProjectConfig: Sendable {
    /// The account's id.
    public let accountID: EntityID

    /// The project.
    public let project: Project

    /// The experiences, in config order, which is the order in which they are decided.
    public let experiences: [Experience]

    /// The audiences, in config order.
    public let audiences: [Audience]

    /// The locations, in config order.
    public let locations: [Location]

    /// The custom segments, in config order.
    public let segments: [Segment]

    /// The features, in config order.
    public let features: [Feature]

    /// The goals, in config order.
    public let goals: [Goal]

    /// Ids of experiences that no longer run though the config lists them, as text, which is how they are compared.
    public let archivedExperiences: [String]

    /// Whether `archived_experiences` is no list. The reference throws at every decision then, so none is made.
    let isArchiveUnreadable: Bool

    /// What was left out while decoding, the first 200 of it.
    public package(set) var diagnostics: [ConfigDiagnostic] = []
}

extension ProjectConfig {
    /// Decodes a config from JSON in UTF-8.
    ///
    /// - Parameter json: the document's bytes. Nesting deeper than 64 is refused.
    /// - Throws: ``ConfigError`` if the bytes are not JSON, not an object, an `error` document, or name no account or
    ///   project. It costs time and memory linear to the document.
    public init(json: Data) throws(ConfigError) {
        let collector = DiagnosticCollector()
        let decoder = JSONDecoder()
        if let key = DiagnosticCollector.userInfoKey { decoder.userInfo[key] = collector }
        self = try decodeDocument(ProjectConfig.self, from: json, with: decoder)
        diagnostics = collector.diagnostics
    }
}

extension ProjectConfig: Decodable {
    private enum CodingKeys: String, CodingKey {
        case accountID = "account_id"
        case archivedExperiences = "archived_experiences"
        case project, experiences, audiences, locations, segments, features, goals, error
    }

    /// Decodes a config from any decoder. ``diagnostics`` stay empty; ``init(json:)`` fills them.
    ///
    /// - Throws: ``ConfigError`` if the document is no object, an `error` document, or names no account or project.
    public init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            throw ConfigError(
                code: .notAnObject, path: "$", message: "expected an object, the project config; found another value.")
        }
        if let error = container.value(.error, unreadable: "unreadable"), error.isTruthy {
            throw ConfigError(
                code: .errorDocument, path: "$.error",
                message: "the server answered with an error (\(ECMAScript.toString(error).prefix(200))); "
                    + "check the SDK key and the environment.")
        }
        guard let accountID = container.ifValid(.accountID, as: EntityID.self), accountID.isTruthy else {
            throw ConfigError(
                code: .missingMember, path: "$.account_id",
                message: "the account's id is missing; this is no project config.")
        }
        guard let project = container.ifValid(.project, as: Project.self), project.id.isTruthy else {
            throw ConfigError(
                code: .missingMember, path: "$.project.id",
                message: "the project's id is missing; this is no project config.")
        }
        self.accountID = accountID
        self.project = project
        experiences = container.list(.experiences)
        audiences = container.list(.audiences)
        locations = container.list(.locations)
        segments = container.list(.segments)
        features = container.list(.features)
        goals = container.list(.goals)
        archivedExperiences = container.list(.archivedExperiences, as: JSValue.self).map { ECMAScript.toString($0) }
        isArchiveUnreadable =
            (try? container.nestedUnkeyedContainer(forKey: .archivedExperiences)) == nil
            && container.value(.archivedExperiences, unreadable: true)?.isTruthy == true
        let lists = [
            CodingKeys.experiences, .audiences, .locations, .segments, .features, .goals, .archivedExperiences,
        ]
        for key in lists {
            if container.contains(key), (try? container.decodeNil(forKey: key)) != true,
                (try? container.nestedUnkeyedContainer(forKey: key)) == nil
            {
                decoder.report("left out: expected a list.", at: decoder.codingPath + [key])
            }
        }
    }
}
