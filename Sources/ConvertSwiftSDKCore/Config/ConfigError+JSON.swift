internal import ConvertECMAScript

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ConfigError {
    /// The document that `json` is.
    ///
    /// - Parameters:
    ///   - vocabulary: the member names that the reader asks for by number.
    ///   - depth: how many arrays and objects may lie in one another.
    ///   - remedy: what to do about bytes that are not JSON.
    static func parsing(
        _ json: Data, vocabulary: JSONVocabulary? = nil, depth: Int = ConfigLimits.depth, remedy: String
    ) throws(ConfigError) -> JSONDocument {
        var limits = JSONLimits()
        limits.length = ConfigLimits.length
        limits.values = ConfigLimits.values
        limits.names = ConfigLimits.names
        limits.depth = depth
        let result = json.withUnsafeBytes { bytes in
            Result { () throws(JSONRefusal) in
                try ECMAScript.readJSON(
                    bytes.bindMemory(to: UInt8.self), limits: limits, vocabulary: vocabulary, remedy: remedy)
            }
        }
        switch result {
        case .success(let document): return document
        case .failure(let refusal):
            throw ConfigError(
                code: refusal.isTooLarge ? .tooLarge : .invalidJSON, path: "$", message: refusal.message)
        }
    }
}
