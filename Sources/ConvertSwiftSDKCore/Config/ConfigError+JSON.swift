internal import ConvertECMAScript

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ConfigError {
    /// Parses `json` to a document.
    ///
    /// - Parameters:
    ///   - vocabulary: the member names that the reader looks up by number.
    ///   - depth: how deeply arrays and objects may be nested.
    ///   - remedy: advice for bytes that are not JSON.
    static func parsing(
        _ json: Data, vocabulary: JSONVocabulary? = nil, depth: Int = ConfigLimits.depth, remedy: String
    ) throws(ConfigError) -> JSONDocument {
        var limits = JSONLimits()
        limits.length = ConfigLimits.length
        limits.values = ConfigLimits.values
        limits.names = ConfigLimits.names
        limits.depth = depth
        do throws(JSONRefusal) {
            return try json.withElements { bytes throws(JSONRefusal) in
                try ECMAScript.readJSON(bytes, limits: limits, vocabulary: vocabulary, remedy: remedy)
            }
        } catch {
            throw ConfigError(code: error.isTooLarge ? .tooLarge : .invalidJSON, path: "$", message: error.message)
        }
    }
}
