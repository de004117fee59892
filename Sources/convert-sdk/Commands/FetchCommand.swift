import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk fetch`.
struct FetchCommand: Command {
    private static let sdkKey = OptionDeclaration(
        ConfigOption.sdkKey.name, ConfigOption.sdkKey.letter, .text("KEY"), isRequired: true,
        "the project's SDK key, such as 1001/2002")
    private static let environment = OptionDeclaration(
        ConfigOption.environment.name, ConfigOption.environment.letter, .text("NAME"),
        "the environment to fetch the config for (default: staging)")

    static let declaration = CommandDeclaration(
        name: "fetch", summary: "fetch a project config",
        discussion: """
            Fetches the config of an SDK key and prints it, as in 'convert-sdk fetch --sdk-key KEY > config.json'. It \
            is checked before anything is printed. Nothing is tracked.
            """,
        options: [sdkKey, ConfigOption.endpoint, environment],
        remarks: """
            A file or a pipe gets the bytes that the server sent. On a terminal, characters that are not shown are \
            escaped.
            """)

    private let config: ConfigOption

    init(_ arguments: Arguments) throws {
        _ = try arguments.required(Self.sdkKey)
        config = try ConfigOption(arguments, file: nil, for: Self.sdkKey.name)
    }

    func run() async throws -> ExitCode {
        let file = try await config.read()
        Console.complain(of: file.config.diagnostics)
        if Console.isTerminal(1) {
            Console.print(json: String(decoding: file.json, as: UTF8.self))
        } else {
            Console.write(file.json)
        }
        return .done
    }
}
