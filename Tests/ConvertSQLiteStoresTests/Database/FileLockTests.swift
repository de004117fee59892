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

    private func openFileCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    }
}
