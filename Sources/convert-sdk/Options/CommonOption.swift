import ConvertAnalysis
import ConvertSwiftSDKCore
import Foundation

/// Options of several commands.
enum CommonOption {
    static let threads = OptionDeclaration(
        "--threads", "t", .text("N"), "the number of threads (default: the number of processors)")
    static let json = OptionDeclaration("--json", "j", "print JSON, for programs")
    static let html = OptionDeclaration(
        "--html", nil, .file, "also write the report as one HTML page, which needs no other files")
    static let experience = OptionDeclaration(
        "--experience", "e", experienceKey, isRepeatable: true, "decide only this experience")
    /// The format of a file that another option names.
    static let format = OptionDeclaration(
        "--format", nil, .choice(PopulationFormat.self, default: .jsonLines), "the format of the visitors' file")

    /// The key of an experience.
    static let experienceKey = OptionDeclaration.Value(
        name: "KEY", candidates: .config { $0.experiences.compactMap(\.key) })
}

extension Arguments {
    /// The number of threads that `--threads` names.
    func threads() throws(UsageError) -> Int {
        try count(CommonOption.threads, in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// The environment that `--environment` names; an empty name counts as none.
    var environment: String? { self[ConfigOption.environment].flatMap { $0.isEmpty ? nil : $0 } }

    /// The format of visitors, as `--format` says.
    func format() throws(UsageError) -> PopulationFormat {
        try choice(CommonOption.format, of: PopulationFormat.self) ?? .jsonLines
    }
}
