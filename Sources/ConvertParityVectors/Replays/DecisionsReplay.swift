import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// A whole session of visitors against one config, step by step.
struct DecisionsReplay: VectorReplay {
    /// Where a case's `configFile` is looked up.
    let folder: URL

    struct Case: Decodable {
        let config: WireConfig?
        let configFile: String?
        let sdk: SDKOptions?
        let stored: [String: VisitorState]?
        let steps: [DecisionStep]
    }

    /// A config that stands in the case itself.
    struct WireConfig: Decodable {
        let config: ProjectConfig

        init(from decoder: any Decoder) throws {
            config = try ProjectConfig(json: Data(ECMAScript.jsonText(of: JSValue(from: decoder)).utf8))
        }
    }

    struct SDKOptions: Decodable {
        let environment: String?
        let bucketing: Bucketing?

        struct Bucketing: Decodable {
            let hashSeed: UInt32?
            let maxTraffic: Double?
            let excludeExperienceIdHash: Bool?

            private enum CodingKeys: String, CodingKey {
                case hashSeed = "hash_seed"
                case maxTraffic = "max_traffic"
                case excludeExperienceIdHash
            }
        }
    }

    func mismatch(in testCase: Case) async -> Mismatch? {
        if testCase.steps.isEmpty { return Mismatch(expected: "at least one step", actual: "none") }
        do {
            var session = try await ReplaySession(
                config: try config(of: testCase), sdk: testCase.sdk, stored: testCase.stored ?? [:])
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
        Mismatch(expected: "a session that can be replayed", actual: describe(error))
    }

    private func config(of testCase: Case) throws -> ProjectConfig {
        if let config = testCase.config { return config.config }
        guard let file = testCase.configFile else { throw VectorError(message: "neither config nor configFile") }
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(file)) else {
            throw VectorError(message: "the configFile '\(file)' cannot be read")
        }
        return try ProjectConfig(json: data)
    }
}
