import ConvertSwiftSDK
import Foundation

/// Where a command takes its config from, and how it is compiled.
struct ConfigOption {
    static let names: Set<String> = ["--config", "--sdk-key", "--endpoint", "--environment", "--semantics"]

    private enum Source {
        case file(String)
        case sdkKey(String, endpoint: String?)
    }

    private let source: Source
    private let environment: String?
    private let semantics: RuleSemantics

    init(_ arguments: Arguments) throws {
        let endpoint = try arguments.single("--endpoint")
        switch (try arguments.single("--config"), try arguments.single("--sdk-key")) {
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
        environment = try arguments.single("--environment")
        semantics = try Self.semantics(arguments)
    }

    /// The project. What is wrong with it is complained about, a line each.
    func load() async throws -> CompiledProject {
        let config: ProjectConfig
        switch source {
        case .file(let path): config = try read(path)
        case .sdkKey(let key, let endpoint): config = try await fetch(key, endpoint)
        }
        let project = CompiledProject(config, options: CompilationOptions(semantics: semantics))
        for diagnostic in project.diagnostics { Console.complain("warning: \(diagnostic)") }
        return project
    }

    private func read(_ path: String) throws -> ProjectConfig {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw UsageError("cannot read '\(path)'; give the path of a project config")
        }
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

    private static func semantics(_ arguments: Arguments) throws -> RuleSemantics {
        guard let name = try arguments.single("--semantics") else { return .standard }
        guard let semantics = RuleSemantics(rawValue: name) else {
            let names = RuleSemantics.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unknown semantics '\(name)'; choose one of \(names)")
        }
        return semantics
    }
}
