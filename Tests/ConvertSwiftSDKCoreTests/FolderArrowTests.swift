import Foundation
import Testing

/// Which folders of the decision engine name types of which others. The compiler cannot see folders, so a test reads
/// them.
struct FolderArrowTests {
    /// For each folder those below it.
    private static let below: [String: Set<String>] = [
        "Config": [], "Rules": ["Config"], "Bucketing": ["Config"], "Visitor": ["Config"],
        "Project": ["Rules", "Bucketing", "Visitor", "Config"], "Experience": managers, "Features": managers,
        "Goals": managers, "Segments": managers, "Explain": managers,
    ]

    private static let managers: Set = [
        "Experience", "Features", "Goals", "Segments", "Project", "Rules", "Bucketing", "Visitor", "Config",
    ]

    @Test func noFolderNamesTypesOfAFolderAboveIt() throws {
        let files = try SourceFile.all(in: "Sources/ConvertSwiftSDKCore")
        #expect(Self.below.keys.allSatisfy { folder in files.contains { $0.folder == folder } })
        var homes: [String: Set<String>] = [:]
        var own: [String: Set<String>] = [:]
        for file in files {
            for type in file.outermostTypes { homes[type, default: []].insert(file.folder) }
            own[file.folder, default: []].formUnion(file.types)
        }
        for file in files {
            guard let below = Self.below[file.folder] else { continue }
            for word in Set(file.words) {
                // A name that several folders declare tells nothing, and the folder's own types come first.
                guard own[file.folder]?.contains(word) == false, let home = homes[word], home.count == 1,
                    let folder = home.first, folder != file.folder,
                    Self.below[folder] != nil
                else { continue }
                #expect(below.contains(folder), "\(file.name) names \(word) of \(folder)")
            }
        }
    }
}

/// A Swift file as words, without comments and texts.
private struct SourceFile {
    let folder: String
    let name: String
    let words: [String]
    /// The types that other files may name. A nested type is named together with its outer type.
    let outermostTypes: [String]
    /// All types, those inside of others included.
    var types: [String] { Self.types(in: words) }

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func all(in directory: String) throws -> [SourceFile] {
        let root = package.appendingPathComponent(directory)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        return try paths.sorted().map { path in
            let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            let outermost = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.joined(separator: "\n")
            return SourceFile(
                folder: String(path.prefix { $0 != "/" }), name: path, words: words(of: text),
                outermostTypes: types(in: words(of: outermost)))
        }
    }

    private static let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    private static func types(in words: [String]) -> [String] {
        words.indices.dropLast().filter { index in
            kinds.contains(words[index]) && !words[max(0, index - 2)..<index].contains { $0.hasSuffix("private") }
        }.map { words[$0 + 1] }
    }

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isText = false
        for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
            var previous: Character = " "
            for character in line {
                if character == "\"" && previous != "\\" { isText.toggle() }
                if !isText, character == "/", previous == "/" { break }
                if !isText, character.isLetter || character.isNumber || character == "_" {
                    word.append(character)
                } else if !word.isEmpty {
                    words.append(word)
                    word = ""
                }
                previous = character
            }
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        return words
    }
}
