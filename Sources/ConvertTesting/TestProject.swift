public import ConvertSwiftSDKCore
public import Foundation

/// A project for tests, made in Swift or from JSON.
///
///     let project = TestProject {
///         Audience("insiders", where: .equals("plan", "insider"))
///         Experience("checkout", audiences: ["insiders"]) {
///             Variation("control", weight: 50)
///             Variation("green", weight: 50, features: ["express-pay": ["limit": 3]])
///         }
///         Feature("express-pay", variables: ["limit": .integer])
///         Goal("purchase")
///     }
///
/// What refers to something names its key, in any order. An id is the key unless it is given; a visitor is hashed with the
/// experience's id, so give the real ids where a test is about who sees what.
public struct TestProject: Sendable {
    /// The config that it stands for.
    public let config: ProjectConfig

    /// A project of these parts.
    ///
    /// The test fails if an experience names an audience or a location, or a variation a feature, that is not among them.
    ///
    /// - Parameters:
    ///   - accountID: the account's id.
    ///   - projectID: the project's id.
    ///   - fileID: where the call stands, for a test that fails.
    ///   - filePath: where the call stands.
    ///   - line: where the call stands.
    ///   - column: where the call stands.
    ///   - parts: the parts.
    public init(
        accountID: String = "test-account", projectID: String = "test-project",
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
        @Builder _ parts: () -> [Part]
    ) {
        var config = ConfigParts()
        for part in parts() { config.append(part) }
        for name in config.undeclaredNames {
            recordMistake(name, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
        }
        self.config = config.config(accountID: accountID, projectID: projectID)
    }

    /// The project that a config describes, as the CDN serves it.
    public init(config: ProjectConfig) { self.config = config }

    /// The project that JSON describes, as the CDN serves it.
    ///
    /// - Throws: `ConfigError` if it is no project config.
    public init(json: Data) throws(ConfigError) { self.init(config: try ProjectConfig(json: json)) }

    /// The project that JSON describes, as the CDN serves it.
    ///
    /// - Throws: `ConfigError` if it is no project config.
    public init(json: String) throws(ConfigError) { try self.init(json: Data(json.utf8)) }

    /// A part of a project.
    public struct Part: Sendable {
        enum Content: Sendable {
            case experience(Experience)
            case audience(Audience)
            case location(ProjectConfig.Location)
            case segment(ProjectConfig.Segment)
            case feature(Feature)
            case goal(Goal)
        }

        let content: Content
    }

    /// Collects the parts of a project.
    @resultBuilder
    public enum Builder {
        /// A part of a project.
        public static func buildExpression(_ experience: Experience) -> [Part] {
            [Part(content: .experience(experience))]
        }
        /// A part of a project.
        public static func buildExpression(_ audience: Audience) -> [Part] { [Part(content: .audience(audience))] }
        /// A part of a project.
        public static func buildExpression(_ location: ProjectConfig.Location) -> [Part] {
            [Part(content: .location(location))]
        }
        /// A part of a project.
        public static func buildExpression(_ segment: ProjectConfig.Segment) -> [Part] {
            [Part(content: .segment(segment))]
        }
        /// A part of a project.
        public static func buildExpression(_ feature: Feature) -> [Part] { [Part(content: .feature(feature))] }
        /// A part of a project.
        public static func buildExpression(_ goal: Goal) -> [Part] { [Part(content: .goal(goal))] }
        /// All parts, in order.
        public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap { $0 } }
        /// The parts of all turns of a loop.
        public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }
        /// The parts of an `if` without `else`.
        public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
        /// The parts of an `if`.
        public static func buildEither(first parts: [Part]) -> [Part] { parts }
        /// The parts of an `else`.
        public static func buildEither(second parts: [Part]) -> [Part] { parts }
    }
}

/// A location among the parts of a ``TestProject``.
public typealias Location = ProjectConfig.Location

/// A segment among the parts of a ``TestProject``.
public typealias Segment = ProjectConfig.Segment
