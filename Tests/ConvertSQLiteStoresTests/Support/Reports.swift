import ConvertConcurrency
import ConvertSQLiteStores
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation

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

extension TemporaryFolder {
    /// The place of a store's file.
    func file() -> URL { file("store.sqlite") }

    /// The size of a store's file, or of one that belongs to it; 0 if the file does not exist.
    func size(_ suffix: String = "") -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file().path + suffix)
        return attributes?[.size] as? Int ?? 0
    }
}
