import Foundation
import PackagePlugin

/// `swift package convert-lint`: runs `convert-sdk lint` in the package's folder, with the same arguments.
///
/// The tool is built when it is needed. Were it a dependency of the plugin, every build of an app would compile it.
@main
struct ConvertLintPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let build = try packageManager.build(.product("convert-sdk"), parameters: .init(logging: .concise))
        let tool = build.builtArtifacts.first { $0.url.lastPathComponent == "convert-sdk" }
        guard build.succeeded, let tool else {
            Diagnostics.error("convert-sdk could not be built:\n\(build.logText)")
            return
        }
        let lint = Process()
        lint.executableURL = tool.url
        lint.arguments = ["lint"] + arguments
        lint.currentDirectoryURL = context.package.directoryURL
        try lint.run()
        lint.waitUntilExit()
        // The findings are printed. A message of SwiftPM about them would add nothing.
        if lint.terminationReason != .exit || lint.terminationStatus != 0 { exit(max(1, lint.terminationStatus)) }
    }
}
