import Foundation
import Testing

/// Which modules of Foundation the SDK's own modules import. One import of full Foundation links its tables of all
/// languages into every program, and makes it ten times as large.
struct FoundationImportTests {
    @Test(arguments: [
        "ConvertConcurrency", "ConvertECMAScript", "ConvertValues", "ConvertTransport", "ConvertSwiftSDKCore",
        "ConvertLedgers", "ConvertSwiftSDK",
    ])
    func fullFoundationIsImportedOnlyWhereThereAreNoEssentials(module: String) throws {
        let folder = Self.sources.appendingPathComponent(module)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        #expect(!paths.isEmpty)
        for path in paths {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            for (name, conditions) in Self.imports(of: text) where name.hasPrefix("Foundation") {
                let needed: Set =
                    name == "FoundationEssentials"
                    ? ["canImport(FoundationEssentials)"]
                    : ["!canImport(FoundationEssentials)", "canImport(Darwin)"]
                #expect(!needed.isDisjoint(with: conditions), "\(module)/\(path) imports \(name)")
            }
        }
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

    /// The modules that a file imports, each with the conditions under which it does.
    private static func imports(of text: String) -> [(name: String, conditions: [String])] {
        var conditions: [String] = []
        var imports: [(name: String, conditions: [String])] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "#if": conditions.append(words[1...].joined(separator: " "))
            case "#elseif": conditions[conditions.count - 1] = words[1...].joined(separator: " ")
            case "#else": conditions[conditions.count - 1] = "!" + conditions[conditions.count - 1]
            case "#endif": conditions.removeLast()
            case "//", "///": break
            default:
                // Behind `import` may stand a kind, as in `import struct Foundation.Date`.
                guard let place = words.firstIndex(of: "import"), place < 3, let last = words.dropFirst(place + 1).last
                else { continue }
                imports.append((String(last.prefix { $0 != "." }), conditions))
            }
        }
        return imports
    }
}
