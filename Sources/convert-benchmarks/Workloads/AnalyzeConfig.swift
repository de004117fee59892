import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// The analyses of W7's config: its lint, and its diff with a changed copy.
enum AnalyzeConfig {
    static let workloads = [
        Workload(
            id: "lint", summary: "lint of 1000 experiences and 500 audiences", goal: 2e9, expected: "0 undecided",
            runner: .timed(operations: 1) { inputs in
                let config = try inputs.data("w7-config.json")
                return { "\(try ConfigLint().findings(in: config).count(where: \.isUndecided)) undecided" }
            }),
        Workload(
            id: "diff", summary: "diff of 1000 experiences and a copy with 100 changed", goal: 2e9,
            expected: "100 changed, 0 undecided",
            runner: .timed(operations: 1) { inputs in
                let old = try inputs.data("w7-config.json")
                let new = try changed(old)
                return {
                    let experiences = try ConfigDiff().difference(from: old, to: new).experiences
                    let undecided = experiences.count { $0.audience == .undecided }
                    return "\(experiences.count(where: \.changesAnswers)) changed, \(undecided) undecided"
                }
            }),
    ]

    /// A copy of the config in which every tenth experience has other weights and an additional audience.
    private static func changed(_ config: Data) throws -> Data {
        guard var root = try JSValue(json: config).objectValue, let experiences = root["experiences"]?.arrayValue else {
            throw BenchmarkFailure(description: "W7's config is not an object with experiences")
        }
        root["experiences"] = .array(
            experiences.enumerated().map { index, value in
                guard index.isMultiple(of: 10), var experience = value.objectValue else { return value }
                experience["variations"] = .array(
                    (experience["variations"]?.arrayValue ?? []).enumerated().map { place, value in
                        guard var variation = value.objectValue else { return value }
                        variation["traffic_allocation"] = place == 0 ? 60 : 40
                        return .object(variation)
                    })
                let audiences = experience["audiences"]?.arrayValue ?? []
                experience["audiences"] = .array(audiences + [.string("\(300_100 + index % 500)")])
                return .object(experience)
            })
        return Data(ECMAScript.jsonText(of: .object(root)).utf8)
    }
}
