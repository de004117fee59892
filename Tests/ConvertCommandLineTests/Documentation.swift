import ConvertTestSupport
import Foundation

/// The README, the changelog and the catalogs of the package.
enum Documentation {
    /// A page and its fenced blocks.
    struct Page {
        struct Block {
            let language: String
            let lines: [String]
            /// Where it begins.
            let line: Int
        }

        let file: URL
        let text: String
        let blocks: [Block]

        var name: String { file.lastPathComponent }

        init(_ file: URL) throws {
            self.file = file
            text = try String(contentsOf: file, encoding: .utf8)
            var blocks: [Block] = []
            var open: (language: String, lines: [String], line: Int)?
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if line.hasPrefix("```") {
                    if let block = open {
                        blocks.append(Block(language: block.language, lines: block.lines, line: block.line))
                        open = nil
                    } else {
                        open = (String(line.dropFirst(3)), [], index + 1)
                    }
                } else {
                    open?.lines.append(String(line))
                }
            }
            self.blocks = blocks
        }
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func pages() throws -> [Page] {
        try [Page(root.appending(path: "README.md"))] + files(in: "Sources", named: ".md").map { try Page($0) }
    }

    /// The files below `folder` whose names end in `suffix`, without what builds leave.
    static func files(in folder: String, named suffix: String) throws -> [URL] {
        let files = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent.hasSuffix(suffix) }
            .sorted { $0.path < $1.path }
    }

    static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Runs a line of a shell, from the package's folder and with the built tool.
    static func run(_ command: String) throws -> Tool.Run {
        let tool = BuiltProduct.executable("convert-sdk").path
        let line = command.replacingOccurrences(of: "swift run convert-sdk ", with: "'\(tool)' ")
        return try Tool.run(
            ["-c", "cd '\(root.path)' && \(line)"], of: URL(fileURLWithPath: "/bin/sh"))
    }
}
