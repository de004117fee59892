import ConvertTestSupport
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation
import Testing

/// Databases that are reached through links.
struct LinkedFileTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private func link(_ name: String, to target: String) throws -> URL {
        try FileManager.default.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: target)
        return folder.file(name)
    }

    @Test func theOwnerIsTheOnlyOneBehindEveryLink() throws {
        let toFile = try link("link", to: folder.file().path)
        let relative = try link("relative", to: "store.sqlite")
        let chain = try link("chain", to: "link")
        let throughFolder = try link("folder", to: ".").appendingPathComponent("store.sqlite")
        let names = [folder.file(), toFile, relative, chain, throughFolder]
        for (index, name) in names.enumerated() {
            let journal = try SQLiteEventJournal(file: name)
            for other in names {
                #expect(throws: StorageError(.inUse, path: other.path), "\(index)") {
                    try SQLiteEventJournal(file: other)
                }
            }
            withExtendedLifetime(journal) {}
        }
        #expect(folder.names.filter { $0.hasSuffix(".owner") } == ["store.sqlite.owner"])
    }

    @Test func aLinkToNothingLeadsToTheFileThatIsMade() throws {
        let dangling = try link("link", to: "store.sqlite")
        let journal = try SQLiteEventJournal(file: dangling)
        _ = try journal.append([Data("a".utf8)])
        #expect(folder.names.contains("store.sqlite"))
        #expect(throws: StorageError(.inUse, path: folder.file().path)) { try SQLiteEventJournal(file: folder.file()) }
    }

    @Test func aCorruptFileIsSetAsideWhereItIs() async throws {
        let other = try TemporaryFolder()
        let garbage = Data("garbage, long enough to be looked at by a database".utf8)
        try garbage.write(to: other.file())
        let name = try link("link", to: other.file().path)
        let journal = try SQLiteEventJournal(file: name, report: reports.collect)
        let ids = try journal.append([Data("a".utf8)])
        let aside = other.file("store.sqlite.corrupt-1")
        #expect(try Data(contentsOf: aside) == garbage)
        #expect(reports.all.count == 1 && reports.all[0].description.contains(aside.lastPathComponent))
        #expect(folder.names == ["link"])
        #expect(try await journal.events(after: 0, limit: 2).map(\.id) == ids)
    }

    @Test func aJournalWithSeveralNamesIsRefused() throws {
        do { _ = try SQLiteEventJournal(file: folder.file()) }
        try FileManager.default.linkItem(at: folder.file(), to: folder.file("second"))
        for name in [folder.file(), folder.file("second")] {
            #expect(throws: StorageError(.hardLinked, path: name.path)) { try SQLiteEventJournal(file: name) }
        }
    }
}
