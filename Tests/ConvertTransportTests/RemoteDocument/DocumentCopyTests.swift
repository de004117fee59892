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

    @Test func whatIsWrittenIsReadByItsOwnerOnly() throws {
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

    @Test func whatIsNoRegularFileIsDamageAndIsNotWaitedFor() throws {
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

    @Test func aLinkIsWrittenThroughAndStays() throws {
        try copy().write(document, validators: HTTPValidators())
        let link = copy(file: "link")
        try FileManager.default.createSymbolicLink(at: link.file, withDestinationURL: copy().file)
        try link.write(Data("new".utf8), validators: validators)
        #expect(try copy().read(limit: 100)?.document == Data("new".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.file.path) == copy().file.path)
    }
}
