import ConvertSwiftSDK
import Foundation

/// Where a command takes its config from, and how it is compiled.
struct ConfigOption {
    static let file = OptionDeclaration(
        "--config", "c", .file, isRequired: true, "the project config, JSON as the CDN serves it")
    private static let sdkKey = OptionDeclaration(
        "--sdk-key", "k", .text("KEY"), "instead of a file: fetch the config of this SDK key")
    private static let endpoint = OptionDeclaration(
        "--endpoint", nil, .text("URL"), "fetch it from here, up to and without config/… (default: the CDN)")
    static let environment = OptionDeclaration(
        "--environment", "n", Value(name: "NAME", candidates: .config { $0.environments }),
        "the environment to fetch and to decide in (default: staging)")
    static let semantics = OptionDeclaration(
        "--semantics", "s", .choice(RuleSemantics.self, default: .standard),
        "how open questions of rule evaluation are answered")

    static let declarations = [file, sdkKey, endpoint, environment, semantics]

    private typealias Value = OptionDeclaration.Value

    private enum Source {
        case file(String)
        case sdkKey(String, endpoint: String?)
    }

    private let source: Source
    private let environment: String?
    private let semantics: RuleSemantics

    init(_ arguments: Arguments) throws {
        let endpoint = arguments[Self.endpoint]
        switch (arguments[Self.file], arguments[Self.sdkKey]) {
        case (let file?, nil):
            guard endpoint == nil else { throw UsageError("--endpoint goes with --sdk-key, not with --config") }
            source = .file(file)
        case (nil, let key?):
            source = .sdkKey(key, endpoint: endpoint)
        case (nil, nil):
            throw UsageError("--config is missing: the file with the project config; or give --sdk-key to fetch it")
        case (_?, _?):
            throw UsageError("--config and --sdk-key exclude each other; give one of them")
        }
        environment = arguments[Self.environment]
        semantics = try arguments.choice(Self.semantics, of: RuleSemantics.self) ?? .standard
    }

    /// The project. What is wrong with it is complained about, a line each.
    func load() async throws -> Project { try await loadWithDigest().project }

    /// As ``load()``, with the digest by which a decision log names the config; `nil` for one that is fetched.
    func loadWithDigest() async throws -> (project: Project, digest: String?) {
        let config: ProjectConfig
        var digest: String?
        switch source {
        case .file(let path):
            let data = try InputFile.read(path, for: Self.file.name)
            config = try Self.config(data, in: path)
            digest = ConfigRevision(of: data).description
        case .sdkKey(let key, let endpoint): config = try await fetch(key, endpoint)
        }
        let project = Project(config, options: CompilationOptions(semantics: semantics))
        for diagnostic in project.diagnostics { Console.complain("warning: \(diagnostic)") }
        return (project, digest)
    }

    /// The config in a file.
    static func read(_ path: String) throws(UsageError) -> ProjectConfig {
        try config(InputFile.read(path, for: file.name), in: path)
    }

    private static func config(_ data: Data, in path: String) throws(UsageError) -> ProjectConfig {
        do {
            return try ProjectConfig(json: data)
        } catch {
            throw UsageError("'\(path)' is no project config: \(error)")
        }
    }

    private func fetch(_ key: String, _ endpoint: String?) async throws -> ProjectConfig {
        var configuration = SDKConfiguration()
        configuration.isTrackingEnabled = false
        configuration.refreshInterval = .zero
        configuration.logLevel = .silent
        if let environment { configuration.environment = environment }
        if let endpoint {
            configuration.configEndpoint = endpoint
            configuration.allowsPlainHTTP = true
        }
        let sdk = ConvertSDK(sdkKey: key, configuration: configuration)
        do {
            try await sdk.ready()
        } catch {
            throw UsageError("no config for the SDK key: \(error)")
        }
        guard let config = sdk.createContext(visitorID: "").config else {
            throw UsageError("no config for the SDK key; try again")
        }
        return config
    }
}

extension ProjectConfig {
    /// The environments that experiences name, each once.
    fileprivate var environments: [String] {
        var names = Set(experiences.flatMap(\.environments))
        for case .only(let name) in experiences.map(\.environment) { names.insert(name) }
        return names.sorted()
    }
}
