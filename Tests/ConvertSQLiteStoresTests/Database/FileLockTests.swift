import ConvertTestSupport
@testable import ConvertSQLiteStores
import Foundation
import Testing

struct FileLockTests {
    @Test func aRefusedLockClosesItsFileOnce() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock").path
        let lock = try FileLock(path, for: path, patience: 0, orElse: .inUse)
        let before = try openFileCount()
        for _ in 0..<100 {
            #expect(throws: StorageError(.inUse, path: path)) {
                try FileLock(path, for: path, patience: 0, orElse: .inUse)
            }
        }
        // Other tests open files at the same time, but not a hundred that stay.
        #expect(try openFileCount() < before + 90)
        withExtendedLifetime(lock) {}
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func aLockThatWasReleasedIsFreeThoughAChildThatIsBeingForkedHasItsFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock").path
        var lock: FileLock? = try FileLock(path, for: path, patience: 0, orElse: .inUse)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        let identity = try #require(FileIdentity(of: path))
        let own = try #require(descriptors.first { FileIdentity(of: "/proc/self/fd/\($0)") == identity })
        // A fork gives the child such a second descriptor of the same open file.
        let copy = dup(own)
        defer { close(copy) }
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try FileLock(path, for: path, patience: 0, orElse: .inUse)
    }

    private func openFileCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    }
}
