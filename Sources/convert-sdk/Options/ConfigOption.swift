import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// The source of a command's config, and the options for compiling it.
struct ConfigOption {
    static let file = OptionDeclaration(
        "--config", "c", .file, isRequired: true, "the project config, JSON as the CDN serves it")
    static let sdkKey = OptionDeclaration(
        "--sdk-key", "k", .text("KEY"), "instead of a file: fetch the config of this SDK key")
    static let endpoint = OptionDeclaration(
        "--endpoint", nil, .text("URL"), "fetch it from this URL, which ends before config/… (default: the CDN)")
    static let environment = OptionDeclaration(
        "--environment", "n", Value(name: "NAME", candidates: .config { $0.environmentNames }),
        "the environment to fetch and to decide in (default: staging)")
    /// ``environment`` for a command that does not decide.
    private static let fetchedEnvironment = OptionDeclaration(
        environment.name, environment.letter, .text("NAME"),
        "with --sdk-key: the environment to fetch the config for (default: staging)")
    static let semantics = OptionDeclaration(
        "--semantics", "s", .choice(RuleSemantics.self, default: .standard),
        "the semantics of rule evaluation")

    /// The options of a command that takes the config by an option.
    static let declarations = [file, sdkKey, endpoint, environment, semantics]
    /// The options for fetching a config, for a command that does not decide.
    static let fetching = [sdkKey, endpoint, fetchedEnvironment]

    private typealias Value = OptionDeclaration.Value

    private enum Source {
        /// A file, and the argument that named it.
        case file(String, argument: String)
        case sdkKey(String, endpoint: String?)
    }

    private let source: Source
    private let environment: String?
    private let semantics: RuleSemantics

    /// Reads the options `--config` and `--sdk-key`, one of which must name the config.
    init(_ arguments: Arguments) throws { try self.init(arguments, file: arguments[Self.file], for: Self.file.name) }

    /// Takes the config from the file at `path`, which `argument` named, or from `--sdk-key`.
    init(_ arguments: Arguments, file path: String?, for argument: String) throws {
        let endpoint = arguments[Self.endpoint]
        switch (path, arguments[Self.sdkKey]) {
        case (let path?, nil):
            guard endpoint == nil else { throw UsageError("--endpoint goes with --sdk-key, not with \(argument)") }
            source = .file(path, argument: argument)
        case (nil, let key?):
            source = .sdkKey(key, endpoint: endpoint)
        case (nil, nil):
            throw UsageError("\(argument) is missing: the file with the project config; or give --sdk-key to fetch it")
        case (_?, _?):
            throw UsageError("\(argument) and --sdk-key exclude each other; give one of them")
        }
        environment = arguments.environment
        semantics = try arguments.choice(Self.semantics, of: RuleSemantics.self) ?? .standard
    }

    /// Takes the config from the file at `path`, which `argument` named.
    init(file path: String, for argument: String) {
        source = .file(path, argument: argument)
        environment = nil
        semantics = .standard
    }

    /// Refuses `--environment` beside a file, for a command that does not decide.
    /// - Parameter reason: why the command needs no environment, as a clause.
    func refuseEnvironment(ofFileIn arguments: Arguments, because reason: String) throws(UsageError) {
        guard case .file = source, arguments[Self.environment] != nil else { return }
        throw UsageError("\(Self.environment.name) goes with \(Self.sdkKey.name); \(reason)")
    }

    /// The environment to decide in.
    var decisionEnvironment: String { environment ?? ProjectConfig.defaultEnvironment }

    /// Loads the project. Prints each problem of the config as a line to standard error.
    /// - Parameter decides: whether the project is used to decide in the environment.
    func load(decides: Bool = true) async throws -> Project { try await loadWithRevision(decides: decides).project }

    /// The same as ``load(decides:)``, with the revision by which a decision log names the config.
    func loadWithRevision(decides: Bool = true) async throws -> (project: Project, revision: String) {
        let file = try await read()
        let project = Project(file.config, options: CompilationOptions(semantics: semantics))
        Console.complain(of: project.diagnostics)
        if decides { note(in: file.config) }
        return (project, file.revision)
    }

    /// Creates an SDK that decides with the config and sends nothing. Prints each problem of the config as a line to
    /// standard error.
    func makeSDK() async throws -> ConvertSDK {
        let file = try await read()
        var configuration = SDKConfiguration()
        configuration.semantics = semantics
        configuration.logLevel = .silent
        Console.complain(of: file.config.diagnostics)
        note(in: file.config)
        return try ConvertSDK(
            configData: file.json, environment: decisionEnvironment, mode: .offline, configuration: configuration)
    }

    /// Prints a warning about the environment to decide in, if there is one.
    func note(in config: ProjectConfig) {
        Self.note(decisionEnvironment, isGiven: environment != nil, in: config)
    }

    /// Prints a warning about deciding in `environment`, if there is one. For the default environment, only if no
    /// visitor is eligible there.
    static func note(_ environment: String, isGiven: Bool, in config: ProjectConfig) {
        guard let warning = config.warning(ofEnvironment: environment), isGiven || warning.excludesAll else { return }
        Console.complain("warning: \(warning.description(then: "give another one with \(Self.environment.name)"))")
    }

    /// Reads the config with its bytes and, if `withDocument`, its original JSON.
    func read(withDocument: Bool = false) async throws -> ConfigFile {
        switch source {
        case .file(let path, let argument): try Self.read(path, for: argument, withDocument: withDocument)
        case .sdkKey(let key, let endpoint): try await fetch(key, endpoint, withDocument: withDocument)
        }
    }

    /// Reads the config in the file at `path`, which `argument` named, with its bytes.
    static func read(
        _ path: String, for argument: String = file.name, withDocument: Bool = false
    ) throws(UsageError) -> ConfigFile {
        let json = try InputFile.read(path, for: argument)
        do {
            return try ConfigFile(json, withDocument: withDocument)
        } catch {
            throw UsageError("\(argument) '\(path)' is not a project config: \(error)")
        }
    }

    private func fetch(_ key: String, _ endpoint: String?, withDocument: Bool) async throws -> ConfigFile {
        var configuration = SDKConfiguration()
        if let environment { configuration.environment = environment }
        if let endpoint {
            configuration.configEndpoint = endpoint
            configuration.allowsPlainHTTP = true
        }
        do {
            return try ConfigFile(try await ConfigDownload.data(of: key, configuration), withDocument: withDocument)
        } catch let error as ConfigError {
            throw UsageError("no config for the SDK key: the fetched data is not a project config: \(error)")
        } catch {
            throw UsageError("no config for the SDK key: \(error)")
        }
    }
}
