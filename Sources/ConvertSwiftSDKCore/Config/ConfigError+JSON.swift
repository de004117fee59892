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
            Result { () throws(JSONSyntaxError) in
                try ECMAScript.parseJSON(
                    bytes.bindMemory(to: UInt8.self), limits: limits, vocabulary: vocabulary)
            }
        }
        switch result {
        case .success(let document): return document
        case .failure(let error):
            let format = json.withUnsafeBytes { ForeignFormat(insteadOfJSON: $0) }
            throw ConfigError(error, isEmpty: json.isEmpty, format, remedy: remedy)
        }
    }

    private init(_ error: JSONSyntaxError, isEmpty: Bool, _ format: ForeignFormat?, remedy: String) {
        if let format {
            self.init(code: .invalidJSON, path: "$", message: "the document is \(format).")
            return
        }
        let place = "line \(error.line), column \(error.column)"
        let message =
            switch error.code {
            case .endsEarly where isEmpty: "the document is empty; expected JSON."
            case .endsEarly:
                "the document ends too early, at \(place), where \(error.expected) is expected; \(remedy)."
            case .unexpected: "not valid JSON at \(place): expected \(error.expected); \(remedy)."
            case .notUTF8: "the document holds bytes that are not UTF-8, at \(place); \(remedy)."
            case .tooDeep: "nested too deep at \(place): \(error.expected) are read; flatten it."
            case .tooManyValues, .tooManyNames, .tooLong:
                "the document is too large, \(error.expected) are read; split or shrink it."
            }
        let code: Code =
            switch error.code {
            case .tooManyValues, .tooManyNames, .tooLong: .tooLarge
            case .endsEarly, .unexpected, .notUTF8, .tooDeep: .invalidJSON
            }
        self.init(code: code, path: "$", message: message)
    }
}
