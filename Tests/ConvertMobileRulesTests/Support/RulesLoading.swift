import Foundation

@testable import ConvertMobileRules

/// What suites that load rules share.
protocol RulesLoading {}

extension RulesLoading {
    var endpoint: URL { URL(string: "https://rules.example/r.zip") ?? URL(filePath: "/") }

    func archive(_ id: String) throws -> Data {
        let json = try rulesJSON([rule(always, consequence(id))])
        return ZIPWriter().archive(ZIPWriter.File("rules.json", String(decoding: json, as: UTF8.self)))
    }

    func ids(_ engine: MobileRulesEngine) -> [String] { engine.evaluate(event()).map(\.id) }

    func withCache<Result>(_ body: (RulesCache) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(RulesCache(folder: folder))
    }
}
