import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// A whole session with one config and several visitors, step by step.
struct DecisionsReplay: VectorReplay {
    /// The folder in which a case's `configFile` is looked up.
    let folder: URL

    struct Case: VectorCase {
        let config: ProjectConfig?
        let configFile: String?
        let sdk: SDKOptions
        /// The stored visitor states, by visitor id.
        let stored: [(visitorID: String, state: VisitorState)]
        let steps: [DecisionStep]

        init(_ cursor: JSONCursor) throws(VectorError) {
            config = try cursor.optional("config").map { config throws(VectorError) in try Self.config(config) }
            configFile = try cursor.optional("configFile")?.asText
            sdk = try SDKOptions(cursor.optional("sdk"))
            if let records = try cursor.optional("stored") {
                stored = try Self.records(records)
            } else {
                stored = []
            }
            var steps: [DecisionStep] = []
            for step in try cursor.required("steps").asElements { steps.append(try DecisionStep(step)) }
            self.steps = steps
        }

        private static func config(_ cursor: JSONCursor) throws(VectorError) -> ProjectConfig {
            do {
                return try ProjectConfig(cursor.value)
            } catch {
                throw VectorError(message: "\(error)")
            }
        }

        private static func records(_ cursor: JSONCursor) throws(VectorError) -> [(String, VisitorState)] {
            var records: [(String, VisitorState)] = []
            for record in try cursor.asObject.members {
                guard let members = try record.asObject.value.objectValue else { continue }
                records.append((record.name?.name ?? "", VisitorState(record: members)))
            }
            return records
        }
    }

    /// The options of the SDK's initializer.
    struct SDKOptions {
        let environment: String?
        let bucketing: BucketingOptions

        init(_ cursor: JSONCursor?) throws(VectorError) {
            environment = try cursor?.optional("environment")?.asText
            let options = try cursor?.optional("bucketing")
            bucketing = BucketingOptions(
                hashSeed: try options?.optional("hash_seed")?.asInteger() ?? 0,
                maxTraffic: try options?.optional("max_traffic")?.asNumber ?? 0,
                excludesExperienceID: try options?.optional("excludeExperienceIdHash")?.asFlag ?? false)
        }
    }

    func mismatch(in testCase: Case) async -> Mismatch? {
        if testCase.steps.isEmpty { return Mismatch(expected: "at least one step", actual: "none") }
        do {
            var session = try await ReplaySession(
                config: try config(of: testCase), sdk: testCase.sdk, stored: testCase.stored)
            let mismatch = await mismatch(in: testCase.steps, of: &session)
            await session.end()
            return mismatch
        } catch {
            return irreproducible(error)
        }
    }

    private func mismatch(in steps: [DecisionStep], of session: inout ReplaySession) async -> Mismatch? {
        do {
            for (index, step) in steps.enumerated() {
                if let mismatch = try await session.mismatch(in: step, place: "step \(index) (\(step.call))") {
                    return mismatch
                }
            }
            return nil
        } catch {
            return irreproducible(error)
        }
    }

    private func irreproducible(_ error: any Error) -> Mismatch {
        Mismatch(expected: "a session that can be replayed", actual: (error as? VectorError)?.message ?? "\(error)")
    }

    private func config(of testCase: Case) throws -> ProjectConfig {
        if let config = testCase.config { return config }
        guard let file = testCase.configFile else { throw VectorError(message: "neither config nor configFile") }
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(file)) else {
            throw VectorError(message: "the configFile '\(file)' cannot be read")
        }
        return try ProjectConfig(json: data)
    }
}
