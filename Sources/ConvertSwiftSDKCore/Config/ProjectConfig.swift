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

    /// Ids of experiences that no longer run though the config lists them. They are compared as text.
    public let archivedExperiences: [EntityID]

    /// What was left out while decoding, the first 200 of it.
    public package(set) var diagnostics: [ConfigDiagnostic] = []
}

extension ProjectConfig {
    /// Decodes a config from JSON in UTF-8.
    ///
    /// - Parameter json: the document's bytes. Nesting deeper than 512 is refused.
    /// - Throws: ``ConfigError`` if the bytes are not JSON, not an object, an `error` document, or name no account or
    ///   project. It costs time and memory linear to the document.
    public init(json: Data) throws(ConfigError) {
        // The decoder looks only at the text it is asked for, and takes text in another encoding for a missing member.
        guard String(validating: json, as: UTF8.self) != nil else {
            throw ConfigError(
                code: .invalidJSON, path: "$",
                message: "the document holds bytes that are not UTF-8; fetch or export the config again.")
        }
        let collector = DiagnosticCollector()
        let decoder = JSONDecoder()
        if let key = DiagnosticCollector.userInfoKey { decoder.userInfo[key] = collector }
        do {
            self = try decoder.decode(ProjectConfig.self, from: json)
        } catch let error as ConfigError {
            throw error
        } catch {
            throw ConfigError(
                code: .invalidJSON, path: "$",
                message: json.isEmpty
                    ? "the document is empty; expected a project config in JSON."
                    : "not valid JSON in UTF-8 (\(parserMessage(error))); fetch or export the config again.")
        }
        diagnostics = collector.diagnostics
    }
}

/// What the toolchain's parser says, which names line and column where it knows them.
private func parserMessage(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "unexpected content" }
    if let underlying = context.underlyingError as? CocoaError,
        let description = underlying.userInfo["NSDebugDescription"] as? String
    {
        return description
    }
    return context.underlyingError.map { "\($0)" } ?? context.debugDescription
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
        archivedExperiences = container.list(.archivedExperiences)
        for key in [CodingKeys.experiences, .audiences, .locations, .segments, .features, .goals] {
            if container.contains(key), (try? container.decodeNil(forKey: key)) != true,
                (try? container.nestedUnkeyedContainer(forKey: key)) == nil
            {
                decoder.report("left out: expected a list.", at: decoder.codingPath + [key])
            }
        }
    }
}
