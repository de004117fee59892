import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

struct DocumentCopyTests {
    private let folder: TemporaryFolder
    private let document = Data("a document\nof two lines".utf8)
    private let validators = HTTPValidators(etag: "\"1\"", lastModified: "then")

    init() throws { folder = try TemporaryFolder() }

    private func copy(_ identity: String = "mine", file: String = "copy") -> DocumentCopy {
        DocumentCopy(file: folder.file(file), identity: identity)
    }

    @Test func theCopyIsReadableByItsOwnerOnly() throws {
        #expect(try copy().read(limit: 100) == nil)
        try copy().write(document, validators: validators)
        let contents = try #require(try copy().read(limit: document.count))
        #expect(contents.document == document && contents.validators == validators)
        #expect(try copy("another's").read(limit: 100) == nil)
    }

    @Test func aFileThatIsNotWholeIsDamage() throws {
        try copy().write(document, validators: validators)
        let whole = try Data(contentsOf: copy().file)
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: copy().file)
            #expect(throws: DocumentCopy.Damage.self, "\(length) bytes") { try copy().read(limit: 100) }
        }
        var changed = whole
        changed[changed.endIndex - 1] ^= 1
        try changed.write(to: copy().file)
        #expect(throws: DocumentCopy.Damage.self) { try copy().read(limit: 100) }
        try whole.write(to: copy().file)
        #expect(throws: DocumentCopy.Damage.self, "longer than allowed") { try copy().read(limit: document.count - 1) }
    }

    @Test func aSpecialFileCountsAsDamageWithoutWaiting() throws {
        try FileManager.default.createDirectory(at: copy().file, withIntermediateDirectories: true)
        #expect(throws: DocumentCopy.Damage.self) { try copy().read(limit: 100) }
        #expect(mkfifo(copy(file: "pipe").file.path, 0o600) == 0)
        #expect(throws: DocumentCopy.Damage.self) { try copy(file: "pipe").read(limit: 100) }
    }

    @Test func theFileAndAFolderThatIsMadeForItAreTheOwnersAlone() throws {
        let copy = copy(file: "new/folder/copy")
        try copy.write(document, validators: validators)
        func rights(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try rights(copy.file.path) == 0o600)
        #expect(try rights(copy.file.deletingLastPathComponent().path) == 0o700)
        // Over a file that was there with other rights.
        chmod(copy.file.path, 0o644)
        try copy.write(document, validators: validators)
        #expect(try rights(copy.file.path) == 0o600)
    }

    @Test func aSpecialFileIsNotReplaced() throws {
        let (folder, pipe) = (copy(file: "folder"), copy(file: "pipe"))
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: false)
        #expect(mkfifo(pipe.file.path, 0o600) == 0)
        for copy in [folder, pipe, DocumentCopy(file: URL(fileURLWithPath: "/dev/null"), identity: "mine")] {
            #expect(throws: RegularFile.Failure.notRegular) { try copy.write(document, validators: validators) }
        }
        let null = try FileManager.default.attributesOfItem(atPath: "/dev/null")
        #expect(null[.type] as? FileAttributeType == .typeCharacterSpecial)
    }

    @Test func aCopyThatOthersCanWriteCountsAsDamaged() throws {
        try copy().write(document, validators: validators)
        chmod(copy().file.path, 0o666)
        #expect(throws: DocumentCopy.Damage.self) { try copy().read(limit: 100) }
        try copy().write(document, validators: validators)
        #expect(try copy().read(limit: 100) != nil, "it is replaced by one that only its owner may write")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to somebody else"))
    func somebodyElsesLinkIsNotFollowed() throws {
        try copy().write(document, validators: validators)
        let link = copy(file: "link")
        try FileManager.default.createSymbolicLink(at: link.file, withDestinationURL: copy().file)
        #expect(lchown(link.file.path, 12345, 12345) == 0)
        #expect(throws: RegularFile.Failure.notOwn) { try link.write(Data("new".utf8), validators: validators) }
        #expect(try copy().read(limit: 100)?.document == document)
        #expect(chown(copy().file.path, 12345, 12345) == 0)
        #expect(throws: DocumentCopy.Damage.self) { try copy().read(limit: 100) }
    }

    @Test func aNameMayBeAsLongAsNamesMayBe() throws {
        let copy = copy(file: String(repeating: "n", count: 255))
        try copy.write(document, validators: validators)
        #expect(try copy.read(limit: 100)?.document == document)
    }

    @Test func aKilledWritersFileIsRemovedOnceNoProcessWritesIt() throws {
        try copy().write(document, validators: validators)
        let name = ".\(String("copy".utf8.fnv1a, radix: 16))."
        let (old, new, others) = (folder.file("\(name)1.part"), folder.file("\(name)2.part"), folder.file(".x.1.part"))
        for file in [old, new, others] { try Data("part".utf8).write(to: file) }
        for file in [old, others] {
            let date = Date(timeIntervalSinceNow: -7200)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        }
        try copy().write(document, validators: validators)
        let left = try FileManager.default.contentsOfDirectory(atPath: old.deletingLastPathComponent().path)
        #expect(Set(left) == ["copy", new.lastPathComponent, others.lastPathComponent])
    }

    @Test func aFirstLineWithoutEndIsDamage() throws {
        try Data(repeating: UInt8(ascii: " "), count: 1 << 20).write(to: copy().file)
        #expect(throws: DocumentCopy.Damage.self) { try copy().read(limit: 2 << 20) }
    }

    @Test func aLinkIsWrittenThroughAndStays() throws {
        try copy().write(document, validators: HTTPValidators())
        let link = copy(file: "link")
        try FileManager.default.createSymbolicLink(at: link.file, withDestinationURL: copy().file)
        try link.write(Data("new".utf8), validators: validators)
        #expect(try copy().read(limit: 100)?.document == Data("new".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.file.path) == copy().file.path)
    }
}
