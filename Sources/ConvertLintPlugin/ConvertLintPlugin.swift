import Foundation
import PackagePlugin

/// `swift package convert-lint`: runs `convert-sdk lint` in the package's folder, with the same arguments.
@main
struct ConvertLintPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let lint = Process()
        lint.executableURL = try context.tool(named: "convert-sdk").url
        lint.arguments = ["lint"] + arguments
        lint.currentDirectoryURL = context.package.directoryURL
        try lint.run()
        lint.waitUntilExit()
        // The findings are printed. A message of SwiftPM about them would add nothing.
        if lint.terminationReason != .exit || lint.terminationStatus != 0 { exit(max(1, lint.terminationStatus)) }
    }
}
