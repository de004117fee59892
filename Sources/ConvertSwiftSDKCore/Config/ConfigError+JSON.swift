internal import ConvertECMAScript

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ConfigError {
    /// Parses `json` and says what is wrong with it in the words of this error.
    static func catching(_ json: Data, vocabulary: JSONVocabulary? = nil) throws(ConfigError) -> JSONDocument {
        var limits = JSONLimits()
        limits.length = ConfigLimits.length
        limits.values = ConfigLimits.values
        limits.depth = ConfigLimits.depth
        let result = json.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in
                try ECMAScript.parseJSON(
                    bytes.bindMemory(to: UInt8.self), limits: limits, vocabulary: vocabulary)
            }
        }
        switch result {
        case .success(let document): return document
        case .failure(let error): throw ConfigError(error, isEmpty: json.isEmpty)
        }
    }

    private init(_ error: JSONSyntaxError, isEmpty: Bool) {
        let place = "line \(error.line), column \(error.column)"
        let message =
            switch error.code {
            case .endsEarly where isEmpty: "the document is empty; expected JSON."
            case .endsEarly:
                "the document ends too early, at \(place), where \(error.expected) is expected; fetch or export it again."
            case .unexpected: "not valid JSON at \(place): expected \(error.expected); fetch or export it again."
            case .notUTF8: "the document holds bytes that are not UTF-8, at \(place); fetch or export it again."
            case .tooDeep: "nested too deep at \(place): \(error.expected) are read; flatten it."
            case .tooManyValues, .tooLong: "the document is too large, \(error.expected) are read; split or shrink it."
            }
        let isTooLarge = error.code == .tooManyValues || error.code == .tooLong
        self.init(code: isTooLarge ? .tooLarge : .invalidJSON, path: "$", message: message)
    }
}
