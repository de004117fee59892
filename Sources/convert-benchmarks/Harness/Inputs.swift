import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// The input files of the workloads.
struct Inputs: Sendable {
    let directory: URL

    /// The files in the folder `path`, or the files in this package if it is `nil`.
    init(path: String?) {
        if let path {
            directory = URL(fileURLWithPath: path, isDirectory: true)
            return
        }
        directory = Self.package.appendingPathComponent("TestVectors/workloads", isDirectory: true)
    }

    private static var package: URL {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        return package
    }

    /// The bytes of the demo shop's config.
    func demoConfig() throws -> Data {
        try Data(contentsOf: Self.package.appendingPathComponent("TestVectors/configs/demo-shop.json"))
    }

    /// The bytes of `name`.
    func data(_ name: String) throws -> Data {
        do {
            return try Data(contentsOf: directory.appendingPathComponent(name))
        } catch {
            throw BenchmarkFailure(description: "cannot read \(name) in \(directory.path); set --inputs to the folder")
        }
    }

    /// The JSON in `name`.
    func json(_ name: String) throws -> JSValue { try JSValue(json: data(name)) }

    /// The list of attribute sets in `name`.
    func attributeSets(_ name: String) throws -> [JSObject] {
        try json(name).arrayValue?.compactMap(\.objectValue) ?? []
    }

    /// A manager for the config in `name`, with the workloads' common settings.
    func manager(_ name: String) throws -> ExperienceManager { try ExperienceManager(config: data(name)) }

    /// The rule set and the data of `name`.
    func ruleCase(_ name: String) throws -> RuleCase {
        let file = try json(name).objectValue
        return RuleCase(data: file?["data"]?.objectValue ?? [:], ruleSet: RuleTree(file?["ruleSet"] ?? .null))
    }
}

/// A rule set and the data on which it is evaluated.
struct RuleCase {
    let data: JSObject
    let ruleSet: RuleTree
}

extension ExperienceManager {
    init(config: Data) throws {
        self.init(project: Project(try ProjectConfig(json: config)), environment: "production")
    }
}

extension DecisionOptions {
    /// Options that turn off tracking and storage and set empty location properties.
    static var benchmark: DecisionOptions {
        var options = DecisionOptions()
        options.isTrackingEnabled = false
        options.isStorageEnabled = false
        options.locationProperties = [:]
        return options
    }
}
