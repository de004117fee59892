import ConvertSQLiteStores
import ConvertSwiftSDKCore
import Foundation
import Synchronization

/// A folder of its own for a test, gone with this object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("convert-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String = "store.sqlite") -> URL { url.appendingPathComponent(name) }

    /// Names of the files within, in order.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

/// Collects what a store reports.
final class Reports: Sendable {
    private let collected = Mutex<[StoreDiagnostic]>([])

    var all: [StoreDiagnostic] { collected.withLock { $0 } }

    var collect: @Sendable (StoreDiagnostic) -> Void { { report in self.collected.withLock { $0.append(report) } } }
}

extension VisitorState {
    /// The record with this JSON text.
    init(json: String) throws { self = try JSONDecoder().decode(VisitorState.self, from: Data(json.utf8)) }
}
