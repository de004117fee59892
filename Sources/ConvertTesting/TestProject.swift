public import ConvertSwiftSDKCore
public import Foundation

/// A project for tests, written in Swift or read from JSON.
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
/// Parts refer to each other by key, in any order. A part without an `id` uses its key as id. An experience's id is
/// part of a visitor's hash input, so pass the real ids if a test depends on which visitors see a variation.
public struct TestProject: Sendable {
    /// The config of the project.
    public let config: ProjectConfig

    /// Creates a project from its parts.
    ///
    /// The test fails if an experience names an audience or a location that is not among the parts, or if a variation
    /// names such a feature.
    ///
    /// - Parameters:
    ///   - accountID: the account's id.
    ///   - projectID: the project's id.
    ///   - fileID: the place of the call, for a failing test.
    ///   - filePath: the place of the call.
    ///   - line: the place of the call.
    ///   - column: the place of the call.
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

    /// Creates a project from a config, as the CDN serves it.
    public init(config: ProjectConfig) { self.config = config }

    /// Creates a project from the JSON of a config, as the CDN serves it.
    ///
    /// - Throws: `ConfigError` if the JSON is not a valid config.
    public init(json: Data) throws(ConfigError) { self.init(config: try ProjectConfig(json: json)) }

    /// Creates a project from the JSON of a config, as the CDN serves it.
    ///
    /// - Throws: `ConfigError` if the JSON is not a valid config.
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
        /// The parts of all iterations of a loop.
        public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }
        /// The parts of an `if` without `else`.
        public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
        /// The parts of an `if`.
        public static func buildEither(first parts: [Part]) -> [Part] { parts }
        /// The parts of an `else`.
        public static func buildEither(second parts: [Part]) -> [Part] { parts }
    }
}

// Short names for the parts of a project. If an app has a type of the same name, write `ConvertTesting.Experience`.

/// An experience of a ``TestProject``.
public typealias Experience = ProjectConfig.Experience

/// A variation of an experience of a ``TestProject``.
public typealias Variation = ProjectConfig.Variation

/// An audience of a ``TestProject``.
public typealias Audience = ProjectConfig.Audience

/// A location of a ``TestProject``.
public typealias Location = ProjectConfig.Location

/// A segment of a ``TestProject``.
public typealias Segment = ProjectConfig.Segment

/// A feature of a ``TestProject``.
public typealias Feature = ProjectConfig.Feature

/// A goal of a ``TestProject``.
public typealias Goal = ProjectConfig.Goal
