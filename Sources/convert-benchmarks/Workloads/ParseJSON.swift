import ConvertECMAScript
import Foundation

/// Parsing of W7's config by this package and, for comparison, by the toolchain's two parsers.
enum ParseJSON {
    static let workloads = [
        workload("json", "JSON into a document, a byte", goal: 1) { bytes in
            try parse(bytes) { $0["experiences"]?.count }
        },
        workload("json-value", "JSON into a value of values, a byte") { bytes in
            try parse(bytes) { $0.value }.objectValue?["experiences"]?.arrayValue?.count
        },
        workload("json-fs", "JSON by Foundation's JSONSerialization, a byte") { bytes in
            let object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
            return (object?["experiences"] as? [Any])?.count
        },
        workload("json-fd", "JSON by Foundation's JSONDecoder into a value of values, a byte") { bytes in
            try JSONDecoder().decode(JSObject.self, from: bytes)["experiences"]?.arrayValue?.count
        },
    ]

    /// The length of the config in bytes.
    private static let length = 976_355

    private static func workload(
        _ id: String, _ summary: String, goal: Double? = nil,
        countExperiences: @escaping @Sendable (Data) throws -> Int?
    ) -> Workload {
        Workload(
            id: id, summary: summary, unit: .nanosecondsPerByte, goal: goal, expected: "1000 experiences in \(length)",
            runner: .timed(operations: length) { inputs in
                let bytes = try inputs.data("w7-config.json")
                return { "\(try countExperiences(bytes) ?? 0) experiences in \(bytes.count)" }
            })
    }

    private static func parse<Result>(_ bytes: Data, _ read: (JSONCursor) -> Result) throws -> Result {
        try bytes.withElements { try ECMAScript.parseJSON($0).withRoot(read) }
    }
}
