import ConvertTestSupport
import ConvertMobileRules
import Foundation
import Testing

struct ZIPArchiveTests {
    private typealias File = ZIPWriter.File

    static let rules = #"{"version": 1, "rules": []}"#

    private func package(_ files: File...) throws -> RulesPackage { try RulesPackage(ZIPWriter().archive(files)) }

    private func file(_ path: String = "rules.json", _ change: (inout File) -> Void = { _ in }) -> File {
        var file = File(path, Self.rules)
        change(&file)
        return file
    }

    @Test func storedAndDeflatedFilesAreRead() throws {
        let package = try package(
            file { $0.isDeflated = false }, File("assets/", ""), File("assets/a.html", "<p>"), File("empty", ""))
        #expect(package.document.rules.isEmpty)
        #expect(package.assets.entries == ["assets/a.html": Data("<p>".utf8), "empty": Data()])
        #expect(package.assets["a.html"] == Data("<p>".utf8))
    }

    @Test func aCommentAndAFileThatLooksLikeADirectoryAreNoTrouble() throws {
        var writer = ZIPWriter()
        writer.comment = Data("PK\u{5}\u{6} no directory".utf8)
        var asset = File("a", String(repeating: "PK\u{5}\u{6}", count: 40))
        asset.isDeflated = false
        #expect(try RulesPackage(writer.archive(file(), asset)).assets.entries.count == 1)
    }

    @Test func largeFilesAreInflatedWhole() throws {
        let text = String((0..<100_000).map { Character(Unicode.Scalar(UInt8($0 % 95 + 32))) })
        #expect(try package(file(), File("big", text)).assets["big"] == Data(text.utf8))
    }

    static let hostilePaths = [
        "../evil", "a/../../evil", "/etc/passwd", "..", "a\\..\\b", "C:evil", "a//b", "a\u{0}b", "", "./../evil",
        ".//evil", "/./evil", ".", "a/.", "./.", "..\u{338}/../evil", "a/../\u{301}b", "/\u{301}evil", "a/..",
    ]

    @Test(arguments: hostilePaths) func aPathThatLeadsOutRefusesTheArchive(path: String) {
        let error = #expect(throws: MobileRulesError.self) { try package(file(), File(path)) }
        #expect(error?.code == .invalidArchive)
    }

    @Test func anEncryptedFileRefusesTheArchive() {
        let error = #expect(throws: MobileRulesError.self) { try package(file { $0.flags = 1 }) }
        #expect(error?.place == "rules.json")
    }

    @Test(arguments: [1, 9, 12, 14, 93, 99] as [UInt16]) func anotherMethodRefusesTheArchive(method: UInt16) {
        #expect(throws: MobileRulesError.self) { try package(file { $0.method = method }) }
    }

    @Test func aFileWithAFalseHeaderIsRefused() {
        #expect(throws: MobileRulesError.self) { try package(file { $0.checksum = 1 }) }
        #expect(throws: MobileRulesError.self) { try package(file { $0.length = 5 }) }
        #expect(throws: MobileRulesError.self) { try package(file { $0.length = 500 }) }
        #expect(throws: MobileRulesError.self) { try package(file { $0.localPath = "other.json" }) }
        #expect(throws: MobileRulesError.self) { try package(file { $0.offset = 3 }) }
        #expect(throws: MobileRulesError.self) { try package(file { $0.offset = 1 << 30 }) }
    }

    @Test func filesOverEachOtherAndTwiceTheSamePathAreRefused() {
        #expect(throws: MobileRulesError.self) { try package(file(), file("rules.json") { $0.offset = 0 }) }
        #expect(throws: MobileRulesError.self) { try package(file(), file()) }
    }

    @Test func aBombIsRefusedBeforeItIsInflated() {
        let error = #expect(throws: MobileRulesError.self) {
            try package(file(), file("bomb") { $0.length = MobileRulesLimits.inflatedLength + 1 })
        }
        #expect(error?.code == .tooLarge)
        let many = (0...(MobileRulesLimits.inflatedLength >> 20)).map { file("\($0)") { $0.length = 1 << 20 } }
        let sum = #expect(throws: MobileRulesError.self) { try RulesPackage(ZIPWriter().archive(many)) }
        #expect(sum?.code == .tooLarge)
    }

    @Test func tooManyFilesAreRefused() {
        let files = [file()] + (0..<MobileRulesLimits.archiveEntries).map { File("\($0)", "") }
        let error = #expect(throws: MobileRulesError.self) { try RulesPackage(ZIPWriter().archive(files)) }
        #expect(error?.code == .tooLarge)
    }

    /// As `bsdtar` and `zip` write for the folder `.`.
    @Test func segmentsThatAreADotAreLeftOut() throws {
        let package = try package(
            File("./", ""), file("./rules.json"), File("./assets/", ""), File("./assets/a.html", "<p>"),
            File("b/./././c.html", "<b>"), File("././", ""))
        #expect(package.document.rules.isEmpty)
        #expect(package.assets.entries == ["assets/a.html": Data("<p>".utf8), "b/c.html": Data("<b>".utf8)])
        #expect(package.assets["assets/a.html"] == Data("<p>".utf8))
    }

    @Test(arguments: [("rules.json", "./rules.json"), ("./a", "././a"), ("a/b", "a/./b")])
    func twoSpellingsOfOnePathAreRefused(paths: (String, String)) throws {
        let error = #expect(throws: MobileRulesError.self) { try package(file(paths.0), File(paths.1)) }
        #expect(error?.code == .invalidArchive)
        #expect(error?.message == "the archive holds this path twice.")
    }

    static let withoutRules: [(paths: [String], contents: String)] = [
        ([], "no files"), (["empty/"], "no files"), (["rules/rules.json"], "'rules/rules.json'"),
        (["assets/a.html", "assets/b.html", "rules/rules.json"], "'rules/rules.json' and 'assets/…'"),
        (["./a/m.html", "Rules.json", "z"], "'Rules.json', 'a/…' and 'z'"),
        (["1", "2", "3", "4", "5", "6"], "'1', '2', '3', '4', '5' and '6'"),
        (["1", "2", "3", "4", "5", "6", "7"], "'1', '2', '3', '4', '5' and 2 more"),
        (["a\u{7f}\u{9b}\u{2028}b"], #"'a\u{7F}\u{009B}\u{2028}b'"#),
    ]

    @Test(arguments: withoutRules)
    func anArchiveWithoutRulesAtItsTopIsRefusedWithWhatItHolds(paths: [String], contents: String) throws {
        let error = #expect(throws: MobileRulesError.self) {
            try RulesPackage(ZIPWriter().archive(paths.map { File($0, Self.rules) }))
        }
        #expect(error?.code == .noRules)
        #expect(error?.message == "it holds \(contents); rules.json must be at its top.")
    }

    @Test func anArchivesEntriesAreNamedInFewWords() {
        let files = (0..<1_000).map { File("\(String(repeating: "\u{1f600}", count: 1_000))\($0)/x") }
        let error = #expect(throws: MobileRulesError.self) { try RulesPackage(ZIPWriter().archive(files)) }
        #expect((error?.message.unicodeScalars.count ?? .max) < 1_000)
    }

    @Test func aPathInAMessageIsOnOneLine() {
        let path = "a\u{2028}\u{9b}b"
        let error = #expect(throws: MobileRulesError.self) { try package(file(path) { $0.checksum = 1 }) }
        #expect(error?.place == #"a\u{2028}\u{009B}b"#)
    }

    @Test func everyCutOfAnArchiveIsRefused() {
        let archive = ZIPWriter().archive(file(), File("asset"))
        for length in 0..<archive.count {
            #expect(throws: MobileRulesError.self, "\(length) bytes") { try RulesPackage(archive.prefix(length)) }
        }
    }

    @Test func noChangedByteCrashesOrSlipsThrough() {
        let archive = ZIPWriter().archive(file(), File("asset", "some text that is kept"))
        var random = SeededGenerator(seed: 7)
        for index in archive.indices {
            var damaged = archive
            damaged[index] ^= UInt8(random.int(1...255))
            guard let package = try? RulesPackage(damaged) else { continue }
            for asset in package.assets.entries.values { #expect(asset == Data("some text that is kept".utf8)) }
        }
    }

    @Test func aSliceOfDataIsReadAsItself() throws {
        let archive = ZIPWriter().archive(file())
        let padded = Data([1, 2, 3]) + archive
        #expect(try RulesPackage(padded.dropFirst(3)).document.rules.isEmpty)
    }
}
